/** The pages by path. Each is a chunk of its own. */
import type { Component } from 'svelte';

export type PageModule = Promise<{ default: Component<{ parameter: string }> }>;

/** Load a page that needs no parameter. Svelte ignores properties that a component does not declare. */
function plain(load: () => Promise<{ default: Component<Record<string, never>> }>): () => PageModule {
  return load as unknown as () => PageModule;
}

export interface Page {
  /** Another key makes a new page; the same key keeps it. */
  readonly key: string;
  /** The last part of the path, such as the id of a match. */
  readonly parameter: string;
  load(): PageModule;
}

const ROUTES: readonly (readonly [RegExp, () => PageModule])[] = [
  [/^\/$/, plain(() => import('./HomePage.svelte'))],
  [/^\/games\/([^/]+)$/, () => import('./GamePage.svelte')],
  [/^\/open$/, plain(() => import('./OpenTablePage.svelte'))],
  [/^\/join\/([^/]+)$/, () => import('./JoinPage.svelte')],
  [/^\/matches$/, plain(() => import('./MatchesPage.svelte'))],
  [/^\/matches\/([^/]+)$/, () => import('./MatchPage.svelte')],
  [/^\/projector$/, plain(() => import('./ProjectorPage.svelte'))],
  [/^\/replay$/, plain(() => import('./ReplayFilePage.svelte'))],
  [/^\/bots$/, plain(() => import('./BotsPage.svelte'))],
  [/^\/bots\/([^/]+)$/, () => import('./BotMatchPage.svelte')],
  [/^\/host$/, plain(() => import('./HostPage.svelte'))],
  [/^\/rooms$/, plain(() => import('./RoomsPage.svelte'))],
  [/^\/rooms\/([^/]+)$/, () => import('./RoomPage.svelte')],
  [/^\/tournaments$/, plain(() => import('./TournamentsPage.svelte'))],
  [/^\/tournaments\/new$/, plain(() => import('./NewTournamentPage.svelte'))],
  [/^\/tournaments\/([^/]+)$/, () => import('./TournamentPage.svelte')],
  [/^\/ladder$/, plain(() => import('./LadderPage.svelte'))],
  [/^\/account$/, plain(() => import('./AccountPage.svelte'))],
];

export function pageOf(address: string): Page {
  const path = address.replace(/\/+$/, '') || '/';
  for (const [pattern, load] of ROUTES) {
    const found = pattern.exec(path);
    if (found !== null) {
      const parameter = decoded(found[1] ?? '');
      return { key: `${pattern.source} ${parameter}`, parameter, load };
    }
  }
  return { key: 'none', parameter: '', load: plain(() => import('./NotFoundPage.svelte')) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

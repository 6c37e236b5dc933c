/** The address of the page, and moving between pages without loading the document again. */

export interface Location {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly hash: string;
}

function current(): Location {
  const { pathname, search, hash } = window.location;
  return { path: pathname, query: new URLSearchParams(search), hash: hash.slice(1) };
}

class Router {
  at: Location = $state.raw(current());

  constructor() {
    window.addEventListener('popstate', () => (this.at = current()));
  }

  /** Show another page. */
  go(address: string): void {
    window.history.pushState(null, '', address);
    this.at = current();
    window.scrollTo(0, 0);
  }

  /** Change the address without a new entry in the history, such as the moment of a replay. */
  replace(address: string): void {
    window.history.replaceState(null, '', address);
    this.at = current();
  }
}

export const router = new Router();

/** Handle clicks on links to pages of this site. Put it on an element that contains the links. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute('download') || link.origin !== window.location.origin) return;
  if (!isPage(link.pathname)) return;
  event.preventDefault();
  router.go(link.pathname + link.search + link.hash);
}

/** First parts of the paths that the server answers with this page. */
const PAGES = [
  '',
  'games',
  'matches',
  'open',
  'join',
  'account',
  'bots',
  'host',
  'projector',
  'replay',
  'rooms',
  'tournaments',
  'ladder',
  'about',
];

function isPage(path: string): boolean {
  return PAGES.includes(path.split('/')[1] ?? '');
}

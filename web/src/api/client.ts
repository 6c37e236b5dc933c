/** Requests to the arena's API. All types come from its OpenAPI document. */
import createClient, { type Middleware } from 'openapi-fetch';
import { untrack } from 'svelte';
import type { components, paths } from '../generated/openapi';
import { build } from '../build.svelte';
import { identity } from '../identity.svelte';

export type Schemas = components['schemas'];

/** A request that failed; `code` is the API's, or "offline" if no answer came. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    words: string,
    readonly status = 0,
    /** The whole problem, which may have more fields. */
    readonly problem: unknown = null,
  ) {
    super(words);
  }
}

const bearer: Middleware = {
  onRequest({ request }) {
    const token = untrack(() => identity.token); // a new token is no reason to load anything again
    if (token !== null && !request.headers.has('authorization'))
      request.headers.set('authorization', `Bearer ${token}`);
    return request;
  },
  onResponse({ response }) {
    build.compare(response.headers.get('parlour-build'));
    return response;
  },
};

export const api = createClient<paths>({ baseUrl: window.location.origin });
api.use(bearer);

export interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The data of an answer, or an ApiError. `ended` is called if the token is no longer valid. */
export async function got<T>(answering: Promise<Answer<T>>, ended = () => identity.forget()): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await answering;
  } catch (e) {
    if (e instanceof DOMException && e.name === 'AbortError') throw e;
    throw new ApiError('offline', 'The arena does not answer. Is the network down?');
  }
  if (answer.response.ok) return answer.data as T;
  const problem = (answer.error ?? {}) as { code?: string; detail?: string };
  const status = answer.response.status;
  if (problem.code === 'bad_token') ended();
  throw new ApiError(problem.code ?? 'error', problem.detail ?? `The arena answered ${status}.`, status, problem);
}

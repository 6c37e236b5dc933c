/** Requests to the arena's API with the token of the host's page. */
import createClient, { type Middleware } from 'openapi-fetch';
import { untrack } from 'svelte';
import { build } from '../build.svelte';
import { type Answer, got } from '../api/client';
import type { paths } from '../generated/openapi';
import { hostSession } from './session.svelte';

const bearer: Middleware = {
  onRequest({ request }) {
    const token = untrack(() => hostSession.token);
    if (token !== null) request.headers.set('authorization', `Bearer ${token}`);
    return request;
  },
  onResponse({ response }) {
    build.compare(response.headers.get('parlour-build'));
    return response;
  },
};

export const asHost = createClient<paths>({ baseUrl: window.location.origin });
asHost.use(bearer);

/** The data of an answer, or an ApiError. If the token has ended, the page asks for the password again. */
export function gotAsHost<T>(answering: Promise<Answer<T>>): Promise<T> {
  return got(answering, () => hostSession.forget());
}

import { api, got } from '../../api/client';
import { Book } from './book';

let loading: Promise<Book> | null = null;

/** The book, loaded once. */
export function loadBook(): Promise<Book> {
  loading ??= got(api.GET('/api/recipes')).then((told) => new Book(told));
  loading.catch(() => (loading = null)); // so that it is tried again when the network is back
  return loading;
}

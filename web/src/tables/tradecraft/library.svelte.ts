/** The recipe book, once it is loaded. All boards of the page share it. */
import type { Book } from './book';
import { loadBook } from './load_book';

class Library {
  book: Book | null = $state.raw(null);
  isFailed = $state(false);

  load(): void {
    if (this.book !== null) return;
    this.isFailed = false;
    loadBook().then(
      (book) => (this.book = book),
      () => (this.isFailed = true),
    );
  }
}

export const library = new Library();

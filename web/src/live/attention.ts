/** Tells a user whose tab is hidden that it is their turn: in the title, and by a notification where that is allowed. */

/** Whether the browser offers notifications here; it does not on plain http. */
export const canNotify = window.isSecureContext && 'Notification' in window;

export async function askToNotify(): Promise<boolean> {
  return canNotify && (await Notification.requestPermission()) === 'granted';
}

export class Attention {
  #title: string | null = null;
  #notification: Notification | null = null;
  readonly #seen = () => {
    if (!document.hidden) this.clear();
  };

  constructor() {
    document.addEventListener('visibilitychange', this.#seen);
  }

  /** Call for attention unless the user looks at the page. */
  call(words: string, notify: boolean): void {
    if (!document.hidden || this.#title !== null) return;
    this.#title = document.title;
    document.title = `● ${words} · ${this.#title}`;
    if (notify && canNotify && Notification.permission === 'granted') {
      this.#notification = new Notification(words, { body: this.#title, tag: 'parlour-turn' });
      this.#notification.onclick = () => window.focus();
    }
  }

  clear(): void {
    if (this.#title !== null) document.title = this.#title;
    this.#title = null;
    this.#notification?.close();
    this.#notification = null;
  }

  close(): void {
    this.clear();
    document.removeEventListener('visibilitychange', this.#seen);
  }
}

/** Notices that the server has been upgraded since this page was loaded. */

class Build {
  /** Whether the server now has another page than this one. */
  isOld = $state(false);

  compare(served: string | null): void {
    if (served !== null && served !== __BUILD__ && !import.meta.env.DEV) this.isOld = true;
  }
}

export const build = new Build();

// A part of this build is gone from the server.
window.addEventListener('vite:preloadError', (event) => {
  event.preventDefault();
  build.isOld = true;
});

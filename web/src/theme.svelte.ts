/** The light or dark theme. The first one is set by public/assets/theme-1.js. */

class Theme {
  isLight = $state(document.documentElement.dataset.theme === 'light');

  toggle(): void {
    this.isLight = !this.isLight;
    document.documentElement.dataset.theme = this.isLight ? 'light' : 'dark';
    try {
      localStorage.setItem('parlour.theme', this.isLight ? 'light' : 'dark');
    } catch {
      // storage is refused: the choice holds until the page is closed
    }
  }
}

export const theme = new Theme();

// Set the theme before anything is drawn: the one that was chosen, else the one that the system prefers.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('parlour.theme');
  } catch (e) {
    // storage is refused; the system's preference holds
  }
  var light = chosen ? chosen === 'light' : matchMedia('(prefers-color-scheme: light)').matches;
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
})();

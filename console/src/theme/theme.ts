/** Light or dark: as the browser prefers, until the reader chooses. */
export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'edge-theme';

/** As in the document, where the browser's own choice picks one. */
const PAGE_COLORS: Readonly<Record<Theme, string>> = { light: '#f6f6f2', dark: '#121614' };

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function isTheme(text: string | null | undefined): text is Theme {
  return text === 'light' || text === 'dark';
}

/** What the page shows now. */
export function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (isTheme(chosen)) return chosen;
  return prefersDark.matches ? 'dark' : 'light';
}

export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  prefersDark.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    prefersDark.removeEventListener('change', listener);
  };
}

/** Takes it for the page, and for what the browser draws around it. */
function apply(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = PAGE_COLORS[theme];
}

/** Changes the theme, and remembers the choice in this browser. */
export function chooseTheme(theme: Theme): void {
  apply(theme);
  for (const listener of listeners) listener();
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage may be forbidden: then the choice holds until the page is left.
  }
}

/** Takes up the choice made earlier, before anything is drawn. */
export function startTheme(): void {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem(STORAGE_KEY);
  } catch {
    // As if nothing had been chosen.
  }
  if (isTheme(chosen)) apply(chosen);
}

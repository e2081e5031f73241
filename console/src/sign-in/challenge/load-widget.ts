/** The widgets of Turnstile and hCaptcha, whose scripts have the same interface. */
import type { WidgetChallenge, WidgetProvider } from './challenge-state.ts';

interface WidgetOptions {
  readonly sitekey: string;
  readonly theme: 'light' | 'dark';
  /** Turnstile's name for the language, and hCaptcha's. */
  readonly language: string;
  readonly hl: string;
  readonly callback: (token: string) => void;
  readonly 'error-callback': (code?: string) => void;
}

interface WidgetScript {
  render(container: HTMLElement, options: WidgetOptions): unknown;
}

const SCRIPTS: Readonly<Record<WidgetProvider, string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit',
};

function findScript(provider: WidgetProvider): WidgetScript | undefined {
  return (globalThis as { readonly [name in WidgetProvider]?: WidgetScript })[provider];
}

async function loadScript(provider: WidgetProvider): Promise<WidgetScript> {
  const loaded = findScript(provider);
  if (loaded) return loaded;
  const element = document.createElement('script');
  element.src = SCRIPTS[provider];
  const done = new Promise((resolve, reject) => {
    element.onload = resolve;
    element.onerror = () => reject(new Error(`the script of ${provider} was not loaded`));
  });
  document.head.append(element);
  await done;
  const script = findScript(provider);
  if (!script) throw new Error(`the script of ${provider} has no widget`);
  return script;
}

/** Shows the widget; the challenge hears what becomes of it. */
export async function showWidget(
  container: HTMLElement,
  { provider, siteKey, onSolved, onFailed }: WidgetChallenge,
): Promise<void> {
  try {
    const script = await loadScript(provider);
    const { language } = new Intl.Locale(document.documentElement.lang);
    const isDark = getComputedStyle(container).colorScheme === 'dark';
    script.render(container, {
      ...{ sitekey: siteKey, theme: isDark ? 'dark' : 'light', language, hl: language },
      callback: onSolved,
      'error-callback': (code) => onFailed(new Error(`${provider} failed: ${code}`)),
    });
  } catch (error) {
    onFailed(error);
  }
}

import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { keepThisBrowser } from './this-browser.ts';

/** Keeps the notifications of this browser in order, and goes where a pressed one leads. */
export function usePush(): void {
  const { language } = useTranslation('shell');
  const { history } = useRouter();
  // When it fails, the next visit tries again.
  useEffect(() => void keepThisBrowser(language).catch(() => undefined), [language]);
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const worker = navigator.serviceWorker;
    const go = ({ data, ports }: MessageEvent<{ readonly path?: unknown } | null>): void => {
      if (typeof data?.path !== 'string') return;
      history.push(data.path);
      ports[0]?.postMessage(true);
    };
    worker.addEventListener('message', go);
    return () => worker.removeEventListener('message', go);
  }, [history]);
}

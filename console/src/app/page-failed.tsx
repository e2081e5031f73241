import { checkHealth } from '../api/client.ts';
import { isProblem } from '../api/problem.ts';
import { Failed, Page } from '../components/layout.tsx';
import { useWhenBack } from '../hooks/use-retry-when-online.ts';
import { useTranslation } from '../i18n/index.ts';

/**
 * A page that is not there. A browser may keep it in mind that a file did not come, so the document
 * is loaded again.
 */
export function PageFailed({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('shell');
  const reload = (): void => location.reload();
  // Without the service there is no document either: the browser's own page would take the place of
  // ours.
  const retry = (): void =>
    void checkHealth().then(
      reload,
      (problem: unknown) => !isProblem(problem, 'unreachable') && reload(),
    );
  useWhenBack(error, reload);
  return (
    <Page title={t('notLoaded')}>
      <Failed error={error} onRetry={retry} />
    </Page>
  );
}

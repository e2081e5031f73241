import { CopyButton } from '../components/copy.tsx';
import { LinkButton } from '../components/nav-button.tsx';
import { ShareButton } from '../components/share.tsx';
import { useMedia } from '../components/use-media.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from './devices.module.css';

const EXTENSIONS_PAGE = 'chrome://extensions';

/** Where a store has the extension of this network; the service says so if there is one. */
function findStoreUrl(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="edge-extension-store"]')?.content;
}

/** The extension as an archive. Pages may not link to the browser's page of extensions. */
function LoadUnpacked() {
  const { t } = useTranslation('devices');
  return (
    <ol className={classes.instructions}>
      <li>
        <p>{t('extension.download')}</p>
        <LinkButton href="/edge-extension.zip" download icon="download">
          {t('extension.downloadButton')}
        </LinkButton>
      </li>
      <li>
        <p>{t('extension.openPage', { page: EXTENSIONS_PAGE })}</p>
        <CopyButton text={EXTENSIONS_PAGE} label={t('extension.copyPage')} />
      </li>
      <li>
        <p>{t('extension.load')}</p>
      </li>
    </ol>
  );
}

/** A phone takes no extension: this page is opened again on a computer. */
function ContinueOnComputer() {
  const { t } = useTranslation('devices');
  const url = `${location.origin}/devices/add`;
  return (
    <div className={classes.onComputer}>
      <p>{t('extension.onComputer')}</p>
      <div className={classes.buttons}>
        <ShareButton data={{ url }} label={t('sendCommand')} />
        <CopyButton text={url} label={t('extension.copyPage')} />
      </div>
    </div>
  );
}

/** The first step of a browser: the extension, from a store or from this service. */
export function InstallExtension() {
  const { t } = useTranslation('devices');
  const isTouched = useMedia('(pointer: coarse)');
  const storeUrl = findStoreUrl();
  if (isTouched) return <ContinueOnComputer />;
  if (storeUrl === undefined) return <LoadUnpacked />;
  return (
    <div className={classes.buttons}>
      <LinkButton href={storeUrl} target="_blank" rel="noopener noreferrer">
        {t('extension.install')}
      </LinkButton>
    </div>
  );
}

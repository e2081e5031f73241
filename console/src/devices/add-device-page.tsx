import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { BackLink } from '../components/back-link.tsx';
import { CopyButton } from '../components/copy.tsx';
import { Page, Section } from '../components/layout.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { Segments } from '../components/segmented-control.tsx';
import { ShareButton } from '../components/share.tsx';
import { useMedia } from '../components/use-media.ts';
import { useTranslation } from '../i18n/index.ts';
import { deviceName } from '../i18n/labels.ts';
import { ApproveDevice } from './approve-device.tsx';
import classes from './devices.module.css';
import { guessPlatform, type Platform } from './guess-platform.ts';
import { InstallExtension } from './install-extension.tsx';
import { type Device, type DeviceStatus, useDevices } from './queries.ts';
import { type CommandLine, startCommand } from './start-command.ts';

const NODE_PAGE = 'https://nodejs.org/';

/** The address that a program shows with its code. */
const PROGRAM_PATH = '/device';

/**
 * A device that was not there before, or one that was away and came back once it was allowed to.
 */
function useAdded(isAllowed: boolean): Device | undefined {
  const { data: devices } = useDevices();
  const [known, setKnown] = useState<ReadonlyMap<string, DeviceStatus>>();
  if (devices && !known) setKnown(new Map(devices.map(({ node_id, status }) => [node_id, status])));
  if (!known) return undefined;
  const isNew = ({ node_id }: Device): boolean => !known.has(node_id);
  const isBack = ({ node_id, status }: Device): boolean =>
    isAllowed && status === 'online' && known.get(node_id) !== 'online';
  return devices?.find(isNew) ?? devices?.find(isBack);
}

function NewDeviceSign({ isAllowed }: { readonly isAllowed: boolean }) {
  const { t } = useTranslation('devices');
  const added = useAdded(isAllowed);
  return (
    <div role="status" className={classes.waiting} data-done={added !== undefined || undefined}>
      <span className={classes.pulse} aria-hidden="true" />
      <span className={classes.what}>
        <span>
          {added
            ? t('isThere', { name: deviceName(t, added), status: t(`status.${added.status}`) })
            : t(isAllowed ? 'allowed' : 'waiting')}
        </span>
        {(isAllowed || added) && <Link to="/devices">{t('title')}</Link>}
      </span>
    </div>
  );
}

/** The command for the system of the device. */
function StartCommand({ commandLine }: { readonly commandLine: CommandLine }) {
  const { t } = useTranslation('devices');
  const command = startCommand(commandLine, location.origin);
  // From a phone the command has a way to go yet: the system's own list sends it.
  const isTouched = useMedia('(pointer: coarse)');
  return (
    <>
      <pre className={classes.command}>
        <code>
          {command.split('\n').map((line) => (
            <span key={line} className={classes.commandLine}>
              {line}
            </span>
          ))}
        </code>
      </pre>
      <div className={classes.buttons}>
        {isTouched && <ShareButton data={{ text: command }} label={t('sendCommand')} />}
        <CopyButton text={command} label={t('copyCommand')} />
      </div>
      <p className={classes.program}>
        <a href={NODE_PAGE} target="_blank" rel="noopener noreferrer">
          {t('getNode')}
        </a>
      </p>
    </>
  );
}

interface PlatformProps {
  readonly platform: Platform;
  readonly onChange: (platform: Platform) => void;
}

/** What the device is: the first step depends on it. */
function PlatformChoice({ platform, onChange }: PlatformProps) {
  const { t } = useTranslation('devices');
  const labelOf = (value: Platform) => ({ value, label: t(`platform.${value}`) });
  const extension = { ...labelOf('extension'), name: t('platform.extensionName') };
  return (
    <Segments
      label={t('platform.label')}
      value={platform}
      onChange={onChange}
      options={[extension, labelOf('unix'), labelOf('windows')]}
    />
  );
}

function OnlineStep({ title, isAllowed }: { readonly title: string; readonly isAllowed: boolean }) {
  const { t } = useTranslation('devices');
  return (
    <li>
      <Section title={title} lead={t('step3Lead')}>
        <NewDeviceSign isAllowed={isAllowed} />
      </Section>
    </li>
  );
}

/** An extension asks for access by itself. */
function ExtensionSteps() {
  const { t } = useTranslation('devices');
  return (
    <ol className={classes.steps}>
      <li>
        <Section title={t('extension.step1')} lead={t('extension.step1Lead')}>
          <InstallExtension />
        </Section>
      </li>
      <li>
        <Section title={t('extension.step2')}>
          <p className={classes.consequence}>{t('extension.step2Lead')}</p>
        </Section>
      </li>
      <OnlineStep title={t('step3')} isAllowed={false} />
    </ol>
  );
}

interface TerminalProps {
  /** Undefined: who scanned the device's code has started it. */
  readonly commandLine: CommandLine | undefined;
  readonly givenCode: string;
}

/** A command on the device, and its code here. */
function TerminalSteps({ commandLine, givenCode }: TerminalProps) {
  const { t } = useTranslation('devices');
  const navigate = useNavigate();
  const [decision, setDecision] = useState<'allow' | 'deny'>();
  const keepCode = (code: string | undefined): void =>
    void navigate({ to: '.', search: { user_code: code }, replace: true, resetScroll: false });
  const isAllowed = decision === 'allow';
  const lead = isAllowed ? 'allowedLead' : commandLine ? 'step2Lead' : undefined;
  return (
    <ol className={classes.steps}>
      {commandLine && (
        <li>
          <Section title={t('step1')} lead={t('step1Lead')}>
            <StartCommand commandLine={commandLine} />
          </Section>
        </li>
      )}
      <li>
        <Section
          title={t(commandLine ? 'step2' : isAllowed ? 'letInDone' : 'letIn')}
          {...(lead !== undefined && { lead: t(lead) })}
        >
          {!isAllowed && (
            <ApproveDevice
              givenCode={givenCode}
              isDenied={decision === 'deny'}
              onCode={keepCode}
              onDecided={setDecision}
            />
          )}
        </Section>
      </li>
      {decision !== 'deny' && (
        <OnlineStep title={t(commandLine ? 'step3' : 'seeOnline')} isAllowed={isAllowed} />
      )}
    </ol>
  );
}

/**
 * A new device: an extension, or a command on the device and its code here. The code also comes by
 * the QR code that the device shows.
 */
export function AddDevicePage() {
  const { t } = useTranslation('devices');
  const { user_code: codeInAddress = '' } = useSearch({ strict: false }) as { user_code?: string };
  // What is typed later goes to the address for a reload, and changes nothing of the page.
  const [givenCode] = useState(codeInAddress);
  const isTouched = useMedia('(pointer: coarse)');
  const [platform, setPlatform] = useState(() =>
    guessPlatform({
      userAgent: navigator.userAgent,
      isTouched,
      hasProgram: location.pathname === PROGRAM_PATH,
    }),
  );
  if (givenCode !== '')
    return (
      <AddDevice>
        <div className={classes.flow}>
          <TerminalSteps commandLine={undefined} givenCode={givenCode} />
        </div>
      </AddDevice>
    );
  return (
    <AddDevice>
      <div className={classes.platforms}>
        <PlatformChoice platform={platform} onChange={setPlatform} />
      </div>
      {platform === 'extension' ? (
        <ExtensionSteps />
      ) : (
        <TerminalSteps commandLine={platform} givenCode="" />
      )}
      {platform !== 'extension' && (
        <div className={classes.onPhone}>
          <Section title={t('onPhone')} lead={t('onPhoneLead')}>
            <QrCode text={`${location.origin}/devices/add`} label={t('onPhone')} />
          </Section>
        </div>
      )}
    </AddDevice>
  );
}

function AddDevice({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('devices');
  return (
    <Page title={t('addTitle')} back={<BackLink to="/devices">{t('title')}</BackLink>}>
      {children}
    </Page>
  );
}

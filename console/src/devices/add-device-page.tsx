import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
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
import { type Device, type DeviceStatus, useDevices } from './queries.ts';

/**
 * One command that works where nothing is installed but Node.js: it signs in when needed, and stays
 * connected.
 */
const COMMANDS = {
  unix: (origin: string): string =>
    `curl -fsSO ${origin}/edge-terminal.mjs && node edge-terminal.mjs run --service ${origin}`,
  windows: (origin: string): string =>
    `iwr ${origin}/edge-terminal.mjs -OutFile edge-terminal.mjs; ` +
    `node edge-terminal.mjs run --service ${origin}`,
} as const;
type Platform = keyof typeof COMMANDS;

function guessPlatform(): Platform {
  return navigator.userAgent.includes('Windows') ? 'windows' : 'unix';
}

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
      {added
        ? t('isThere', { name: deviceName(t, added), status: t(`status.${added.status}`) })
        : t(isAllowed ? 'allowed' : 'waiting')}
      {(isAllowed || added) && <Link to="/devices">{t('title')}</Link>}
    </div>
  );
}

/** The command for the system of the device. */
function StartCommand() {
  const { t } = useTranslation('devices');
  const [platform, setPlatform] = useState(guessPlatform);
  const command = COMMANDS[platform](location.origin);
  // From a phone the command has a way to go yet: the system's own list sends it.
  const isTouched = useMedia('(pointer: coarse)');
  return (
    <>
      <Segments
        label={t('os')}
        value={platform}
        onChange={setPlatform}
        options={[
          { value: 'unix', label: t('platform.unix') },
          { value: 'windows', label: t('platform.windows') },
        ]}
      />
      <pre className={classes.command}>
        <code>{command}</code>
      </pre>
      <div className={classes.buttons}>
        <CopyButton text={command} label={t('copyCommand')} />
        {isTouched && (
          <ShareButton data={{ text: command }} label={t('sendCommand')} variant="default" />
        )}
      </div>
    </>
  );
}

/**
 * A new device: a command on the device, its code here. The code also comes by the QR code that the
 * device shows.
 */
export function AddDevicePage() {
  const { t } = useTranslation('devices');
  const { user_code: codeInAddress = '' } = useSearch({ strict: false }) as { user_code?: string };
  const navigate = useNavigate();
  // What is typed later goes to the address for a reload, and changes nothing of the page.
  const [givenCode] = useState(codeInAddress);
  const [decision, setDecision] = useState<'allow' | 'deny'>();
  const keepCode = (code: string | undefined): void =>
    void navigate({ to: '.', search: { user_code: code }, replace: true, resetScroll: false });
  const isAllowed = decision === 'allow';
  // Who scanned the device's code has done the steps before.
  const lead = isAllowed ? 'allowedLead' : givenCode === '' ? 'step2Lead' : undefined;
  return (
    <Page title={t('addTitle')} back={<BackLink to="/devices">{t('title')}</BackLink>}>
      <ol className={classes.steps}>
        {givenCode === '' && (
          <li>
            <Section title={t('step1')} lead={t('step1Lead')}>
              <StartCommand />
            </Section>
          </li>
        )}
        <li>
          <Section
            title={t(givenCode === '' ? 'step2' : 'letIn')}
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
          <li>
            <Section title={t(givenCode === '' ? 'step3' : 'seeOnline')} lead={t('step3Lead')}>
              <NewDeviceSign isAllowed={isAllowed} />
            </Section>
          </li>
        )}
      </ol>
      {givenCode === '' && (
        <div className={classes.onPhone}>
          <Section title={t('onPhone')} lead={t('onPhoneLead')}>
            <QrCode text={`${location.origin}/devices/add`} label={t('onPhone')} />
          </Section>
        </div>
      )}
    </Page>
  );
}

import { Button, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../parts/copy.tsx';
import form from '../parts/form.module.css';
import { Icon } from '../parts/icon.tsx';
import { Page, Section } from '../parts/layout.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import classes from './devices.module.css';
import { useDevices } from './queries.ts';

const CODE_LENGTH = 8;

/** The letters of a code, whatever was typed around them. */
function readUserCode(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** Says when a device that was not there before comes online. */
function NewDeviceSign() {
  const { t } = useTranslation('devices');
  const devices = useDevices();
  const [known, setKnown] = useState<ReadonlySet<string>>();
  if (devices.data && !known) setKnown(new Set(devices.data.map((device) => device.node_id)));
  const added = known && devices.data?.find((device) => !known.has(device.node_id));
  return (
    <div role="status" className={classes.waiting} data-done={added !== undefined || undefined}>
      <span className={classes.pulse} aria-hidden="true" />
      {added ? t('isThere', { name: added.name, status: t(`status.${added.status}`) }) : t('waiting')}
      {added && <Link to="/devices">{t('title')}</Link>}
    </div>
  );
}

/** A new device: a command on the device, its code here. The code can also come by the QR code that the device shows. */
export function AddDevicePage() {
  const { t } = useTranslation('devices');
  const { user_code: given = '' } = useSearch({ strict: false }) as { user_code?: string };
  const [problem, setProblem] = useState<string>();
  const command = `npx edge-terminal login --service ${location.origin}`;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const code = readUserCode(String(new FormData(event.currentTarget).get('user_code') ?? ''));
    setProblem(code.length === CODE_LENGTH ? undefined : t('codeInvalid'));
    if (code.length === CODE_LENGTH) location.assign(`/device?user_code=${code.slice(0, 4)}-${code.slice(4)}`);
  };
  return (
    <Page title={t('addTitle')}>
      <ol className={classes.steps}>
        <li>
          <Section title={t('step1')} lead={t('step1Lead')}>
            <pre className={classes.command}>
              <code>{command}</code>
            </pre>
            <CopyButton text={command} label={t('copyCommand')} />
          </Section>
        </li>
        <li>
          <Section title={t('step2')} lead={t('step2Lead')}>
            <form onSubmit={submit} className={form.form} noValidate>
              <TextInput
                name="user_code"
                label={t('deviceCode')}
                placeholder="ABCD-EFGH"
                defaultValue={given}
                className={classes.code}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                error={problem}
              />
              <Button type="submit">{t('continue')}</Button>
            </form>
          </Section>
        </li>
        <li>
          <Section title={t('step3')} lead={t('step3Lead')}>
            <NewDeviceSign />
          </Section>
        </li>
      </ol>
      <Section title={t('onPhone')} lead={t('onPhoneLead')}>
        <QrCode text={`${location.origin}/devices/add`} label={t('onPhone')} />
      </Section>
      <p>
        <Link to="/devices" className={classes.backLink}>
          <Icon name="device" size={18} /> {t('title')}
        </Link>
      </p>
    </Page>
  );
}

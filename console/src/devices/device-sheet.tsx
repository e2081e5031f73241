import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Traffic } from '../components/data-size.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Facts } from '../components/description-list.tsx';
import { Failure } from '../components/form.tsx';
import { isPending } from '../components/layout.tsx';
import { NavButton } from '../components/nav-button.tsx';
import { SwitchGroup } from '../components/segmented-control.tsx';
import { BEGINS_HERE, Confirm, Sheet } from '../components/sheet.tsx';
import { showToast } from '../components/toaster.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { capabilityText, deviceName, trafficKindText } from '../i18n/labels.ts';
import { usePrices, ValuedAmount } from '../wallets/approximate-value.tsx';
import { DeviceReason, DeviceStatusText } from './device-card.tsx';
import classes from './devices.module.css';
import {
  type Device,
  devicesQuery,
  earnedByDeviceQuery,
  grantCategories,
  revokeDevice,
} from './queries.ts';
import { RefusedReports } from './refused-reports.tsx';
import { RenameDevice } from './rename-device.tsx';

/** Categories of traffic that the device asks for; its owner decides. */
function Categories({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices');
  const client = useQueryClient();
  const submission = useSubmission();
  const all = [...new Set([...(device.requested_categories ?? []), ...device.granted_categories])];
  if (all.length === 0) return null;
  const grant = (granted: readonly string[]): void =>
    submission.submit(async () => {
      await grantCategories(device.node_id, granted);
      await client.invalidateQueries({ queryKey: devicesQuery.queryKey });
    });
  return (
    <>
      <SwitchGroup
        legend={t('categories')}
        options={all}
        labelOf={(kind) => trafficKindText(t, kind)}
        chosen={device.granted_categories}
        onChange={grant}
      />
      <Failure>{submission.message}</Failure>
    </>
  );
}

type Cut = 'disconnect' | 'delete';

function ConfirmCut({
  device,
  how,
  onClose,
  onDone,
}: {
  device: Device;
  how: Cut;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation('devices');
  const client = useQueryClient();
  const submission = useSubmission();
  const cut = (): void =>
    submission.submit(async () => {
      await revokeDevice(device.node_id, how);
      await client.invalidateQueries({ queryKey: ['devices'] });
      showToast(t(how === 'delete' ? 'deleted' : 'disconnected', { name: deviceName(t, device) }));
      onDone();
    });
  return (
    <Confirm
      title={t(how === 'delete' ? 'deleteTitle' : 'disconnectTitle', {
        name: deviceName(t, device),
      })}
      onClose={onClose}
      confirmLabel={t(how === 'delete' ? 'delete' : 'disconnect')}
      isDanger
      outcome={submission}
      onConfirm={cut}
    >
      <p className={classes.consequence}>{t(how === 'delete' ? 'deleteLead' : 'disconnectLead')}</p>
    </Confirm>
  );
}

function DeviceFacts({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices');
  const earnings = useQuery(earnedByDeviceQuery(device.node_id)).data;
  const prices = usePrices();
  return (
    <Facts
      facts={[
        [
          t('earned30'),
          earnings && !isPending(prices) && (
            <span className={classes.earned}>
              {earnings.map((entry) => (
                <ValuedAmount key={entry.currency} value={entry.amount} currency={entry.currency} />
              ))}
            </span>
          ),
        ],
        [t('traffic'), <Traffic key="traffic" gigabytes={device.traffic_gb} digits="switch" />],
        [t('lastSeen'), <DateTime key="seen" iso={device.last_seen_at} />],
        [t('added'), <DateTime key="added" iso={device.created_at} />],
        [t('type'), t(`kind.${device.device_type}`)],
        [t('client'), [device.browser, device.extension_version].filter(Boolean).join(' ')],
        [t('os'), device.os],
        [t('timezone'), device.timezone],
        [
          t('capabilities'),
          device.capabilities.map((can) => capabilityText(t, can)).join(t('comma')),
        ],
        [t('nodeId'), <code key="id">{device.node_id}</code>],
      ]}
    />
  );
}

/** One device: how it is, what it did, and what can be done with it. */
export function DeviceSheet({
  device,
  onClose,
}: {
  readonly device: Device;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('devices');
  const [cut, setCut] = useState<Cut>();
  // Who is asked, and leaves it, is back at the button that asked.
  const [left, setLeft] = useState<Cut>();
  const leave = (): void => {
    setLeft(cut);
    setCut(undefined);
  };
  if (cut)
    return <ConfirmCut key={cut} device={device} how={cut} onClose={leave} onDone={onClose} />;
  return (
    <Sheet title={deviceName(t, device)} onClose={onClose}>
      <p className={classes.reason}>
        <DeviceStatusText device={device} />
        {device.status !== 'online' && <DeviceReason device={device} />}
      </p>
      <div className={classes.history}>
        <NavButton
          to="/devices/history"
          search={{ node: device.node_id }}
          variant="default"
          icon="gauge"
        >
          {t('history.open')}
        </NavButton>
      </div>
      <DeviceFacts device={device} />
      <RefusedReports nodeId={device.node_id} />
      <Categories device={device} />
      <RenameDevice device={device} />
      <div className={classes.cuts}>
        {device.status !== 'disconnected' && (
          <Button
            variant="default"
            icon="unplug"
            {...(left === 'disconnect' && BEGINS_HERE)}
            onClick={() => setCut('disconnect')}
          >
            {t('disconnect')}
          </Button>
        )}
        <Button
          variant="default"
          icon="trash"
          {...(left === 'delete' && BEGINS_HERE)}
          onClick={() => setCut('delete')}
        >
          {t('delete')}
        </Button>
      </div>
    </Sheet>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useRewardCurrency } from '../api/currencies.ts';
import { Amount } from '../components/amount.tsx';
import { Traffic } from '../components/data-size.tsx';
import { ElapsedTime, RelativeTime } from '../components/date-time.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { useMedia } from '../components/use-media.ts';
import { useTranslation } from '../i18n/index.ts';
import { deviceName } from '../i18n/labels.ts';
import classes from './devices.module.css';
import { type Device, earnedByDeviceQuery } from './queries.ts';
import { UptimeStrip } from './uptime-strip.tsx';

/** A status in a word and a colour, never the colour alone. */
export function DeviceStatusText({ device }: { readonly device: Pick<Device, 'status'> }) {
  const { t } = useTranslation('devices');
  return (
    <span className={classes.status} data-status={device.status}>
      <span className={classes.dot} aria-hidden="true" />
      {t(`status.${device.status}`)}
    </span>
  );
}

interface ReasonProps {
  readonly device: Pick<Device, 'status_reason_code' | 'status_since'>;
  /** False for operators, who read of the devices of others. */
  readonly isOwn?: boolean;
}

/** Why it is so, and since when. */
export function DeviceReason({ device, isOwn = true }: ReasonProps) {
  const { t } = useTranslation('devices');
  const code = device.status_reason_code;
  return (
    <>
      {` · ${t(!isOwn && code === 'cut_by_owner' ? 'cutByItsOwner' : `reason.${code}`)} `}
      {code === 'silent' ? (
        <ElapsedTime iso={device.status_since} />
      ) : (
        <RelativeTime iso={device.status_since} />
      )}
    </>
  );
}

const ICONS: Readonly<Record<Device['device_type'], IconName>> = {
  TERMINAL: 'terminal',
  EXTENSION: 'browser',
};

/** Where figures have room beside the name. */
const ROOMY = '(min-width: 48em)';

/** What the device earned and moved. The place of what is not known yet is kept. */
function Figures({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices');
  const currency = useRewardCurrency();
  const { data } = useQuery(earnedByDeviceQuery(device.node_id));
  const earned = data?.find((entry) => entry.currency === currency)?.amount;
  return (
    <span className={classes.figures}>
      <span>
        <span className={classes.figureName}>{t('last30')}</span>
        {earned === undefined ? (
          ' '
        ) : (
          <Amount value={earned} currency={currency} size="sm" digits="readable" />
        )}
      </span>
      <span>
        <span className={classes.figureName}>{t('traffic')}</span>
        <Traffic gigabytes={device.traffic_gb} size="sm" />
      </span>
    </span>
  );
}

export function DeviceCard({
  device,
  onOpen,
}: {
  readonly device: Device;
  readonly onOpen: () => void;
}) {
  const { t } = useTranslation('devices');
  const isRoomy = useMedia(ROOMY);
  return (
    <button type="button" className={classes.card} onClick={onOpen}>
      <span className={classes.icon} data-status={device.status}>
        <Icon name={ICONS[device.device_type]} size={22} />
      </span>
      <span className={classes.text}>
        <span className={classes.name}>{deviceName(t, device)}</span>
        <span className={classes.small}>
          <DeviceStatusText device={device} />
          {device.status !== 'online' && <DeviceReason device={device} />}
        </span>
        <UptimeStrip device={device} />
      </span>
      {isRoomy && <Figures device={device} />}
      <Icon name="chevron" size={18} />
    </button>
  );
}

/** Devices of the network, a row each: a table, and on a phone some lines a device. */
import { Traffic } from '../../components/data-size.tsx';
import { DeviceReason, DeviceStatusText } from '../../devices/device-card.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { deviceName } from '../../i18n/labels.ts';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import { PersonLink } from '../person-link.tsx';
import classes from './devices.module.css';
import type { NetworkDevice } from './queries.ts';

interface RowProps {
  readonly device: NetworkDevice;
  readonly onOpen: () => void;
}

function Row({ device, onOpen }: RowProps) {
  const { t } = useTranslation('operator');
  const name = deviceName(t, device);
  return (
    <tr>
      <td className={classes.device}>
        <button
          type="button"
          className={table.open}
          aria-label={t('devices.open', { name, node: device.node_id })}
          onClick={onOpen}
        >
          {name}
        </button>
        <code className={classes.node}>{device.node_id}</code>
      </td>
      <td className={classes.owner}>
        <PersonLink id={String(device.user_id)}>
          {device.nickname || String(device.user_id)}
        </PersonLink>
      </td>
      <td className={classes.status}>
        <DeviceStatusText device={device} />
        {device.status !== 'online' && (
          <span className={classes.reason}>
            <DeviceReason device={device} isOwn={false} />
          </span>
        )}
      </td>
      <td className={classes.address}>{device.registered_address}</td>
      <td className={classes.traffic}>
        <Traffic gigabytes={device.traffic_gb} size="sm" />
      </td>
    </tr>
  );
}

/** With the class of each. */
const COLUMNS = {
  device: classes.device,
  owner: classes.owner,
  status: classes.status,
  address: classes.address,
  traffic: classes.traffic,
} as const;

interface TableProps {
  readonly devices: readonly NetworkDevice[];
  readonly onOpen: (device: NetworkDevice) => void;
}

export function DeviceTable({ devices, onOpen }: TableProps) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('devices.found')}
      columns={(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((key) => ({
        key,
        label: t(`devices.column.${key}`),
        className: COLUMNS[key],
      }))}
    >
      {devices.map((device) => (
        <Row key={device.node_id} device={device} onOpen={() => onOpen(device)} />
      ))}
    </DenseTable>
  );
}

/** A device of the network in full: what it is, whose it is, and where it was seen. */
import { Button } from '../../components/button.tsx';
import { Traffic } from '../../components/data-size.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { DeviceReason, DeviceStatusText } from '../../devices/device-card.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { capabilityText, deviceName, trafficKindText } from '../../i18n/labels.ts';
import { PersonLink } from '../person-link.tsx';
import type { NetworkDeviceFilter } from './device-filter.ts';
import classes from './devices.module.css';
import type { NetworkDevice } from './queries.ts';

interface Props {
  readonly device: NetworkDevice;
  readonly onFilter: (filter: NetworkDeviceFilter) => void;
  readonly onClose: () => void;
}

function DeviceFacts({ device }: Pick<Props, 'device'>) {
  const { t } = useTranslation('operator');
  const of = useTranslation('devices').t;
  const program = [device.browser, device.extension_version].filter((part) => part !== '');
  return (
    <Facts
      facts={[
        [
          t('devices.column.status'),
          <span key="status">
            <DeviceStatusText device={device} />
            <DeviceReason device={device} isOwn={false} />
          </span>,
        ],
        [
          t('devices.column.owner'),
          <PersonLink key="owner" id={String(device.user_id)}>
            {device.nickname || String(device.user_id)}
          </PersonLink>,
        ],
        [of('nodeId'), <code key="node">{device.node_id}</code>],
        [of('type'), of(`kind.${device.device_type}`)],
        [of('client'), program.join(' ')],
        [of('os'), device.os],
        [of('timezone'), device.timezone],
        [
          of('capabilities'),
          device.capabilities.map((can) => capabilityText(t, can)).join(t('devices:comma')),
        ],
        [
          t('devices.granted'),
          device.granted_categories
            .map((kind) => trafficKindText(t, kind))
            .join(t('devices:comma')),
        ],
        [t('devices.registeredAt'), device.registered_address],
        [t('devices.lastHeardAt'), device.last_address],
        [of('traffic'), <Traffic key="traffic" gigabytes={device.traffic_gb} digits="switch" />],
        [of('added'), <DateTime key="added" iso={device.created_at} />],
        [
          of('lastSeen'),
          device.status_reason_code !== 'not_connected_yet' && (
            <DateTime key="seen" iso={device.last_seen_at} />
          ),
        ],
      ]}
    />
  );
}

export function NetworkDeviceSheet({ device, onFilter, onClose }: Props) {
  const { t } = useTranslation('operator');
  return (
    <Sheet title={deviceName(t, device)} onClose={onClose}>
      <DeviceFacts device={device} />
      <div className={classes.each}>
        <Button
          variant="default"
          size="sm"
          onClick={() => {
            onFilter({ device: device.registered_address });
            onClose();
          }}
        >
          {t('devices.ofAddress', { address: device.registered_address })}
        </Button>
      </div>
    </Sheet>
  );
}

import { useQuery } from '@tanstack/react-query';
import { devicesQuery } from '../devices/queries.ts';
import { useTranslation } from '../i18n/index.ts';
import { nodeText } from './node-text.ts';

const STALE_MS = 60_000;

/** The devices for their names alone, so they are not asked for again and again. */
export function useNamedDevices(isNeeded = true) {
  return useQuery({
    ...devicesQuery,
    enabled: isNeeded,
    refetchInterval: false,
    staleTime: STALE_MS,
  });
}

interface Props {
  readonly nodeId: string;
  /** In a row of a list. */
  readonly isShort?: boolean;
}

/** The device that earned a reward. */
export function DeviceName({ nodeId, isShort = false }: Props) {
  const { t } = useTranslation('devices');
  const { data: devices = [] } = useNamedDevices();
  return nodeText(t, nodeId, { devices, isShort });
}

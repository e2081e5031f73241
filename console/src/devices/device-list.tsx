import { useState } from 'react';
import { TextInput } from '../components/field.tsx';
import { Found, NoMatch } from '../components/filter-state.tsx';
import { WindowedList } from '../components/virtual-list.tsx';
import { useTranslation } from '../i18n/index.ts';
import { deviceName } from '../i18n/labels.ts';
import { includesAllWords, KEYWORD_LENGTH_MAX } from '../lib/search-params.ts';
import { DeviceCard } from './device-card.tsx';
import classes from './devices.module.css';
import type { Device } from './queries.ts';

interface Props {
  readonly devices: readonly Device[];
  readonly onOpen: (nodeId: string) => void;
}

/** From this number on, the list has a search field. */
const MANY = 12;
/** A card whose lines are not broken, and the gap below it. */
const ROW_HEIGHT = 112;

/** All of them are known: there is nothing to read when others come into sight. */
function readNothing(): void {}

/** Many devices: found by their names, and only those on the screen exist. */
function ManyDevices({ devices, onOpen }: Props) {
  const { t } = useTranslation('devices');
  const [words, setWords] = useState('');
  const found = devices.filter((device) =>
    includesAllWords(`${deviceName(t, device)} ${device.node_id}`, words),
  );
  const clear = (): void => setWords('');
  const isFiltered = words.trim() !== '';
  return (
    <div>
      <search className={classes.search}>
        <TextInput
          type="search"
          label={t('search')}
          maxLength={KEYWORD_LENGTH_MAX}
          icon="search"
          autoComplete="off"
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      </search>
      <div role="status">
        {found.length === 0 ? (
          <NoMatch title={t('noMatch')} onClear={clear} />
        ) : (
          isFiltered && (
            <Found text={t('found', { count: found.length })} isFiltered onClear={clear} />
          )
        )}
      </div>
      <WindowedList
        isOfCards
        label={t('title')}
        total={found.length}
        rowHeight={ROW_HEIGHT}
        keyOf={(index) => found[index]?.node_id}
        onRange={readNothing}
        renderRow={(index) => {
          const device = found[index];
          return device && <DeviceCard device={device} onOpen={() => onOpen(device.node_id)} />;
        }}
      />
    </div>
  );
}

export function DeviceList({ devices, onOpen }: Props) {
  if (devices.length >= MANY) return <ManyDevices devices={devices} onOpen={onOpen} />;
  return (
    <ul className={classes.list}>
      {devices.map((device) => (
        <li key={device.node_id}>
          <DeviceCard device={device} onOpen={() => onOpen(device.node_id)} />
        </li>
      ))}
    </ul>
  );
}

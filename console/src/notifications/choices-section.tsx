/** Which notifications one receives, and how. Each change is saved at once. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toServiceLanguage } from '../api/service-language.ts';
import { Select } from '../components/field.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { Switch } from '../components/segmented-control.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { spanText } from '../i18n/message-code-text.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import classes from './notifications.module.css';
import { type Preferences, preferencesQuery, savePreferences } from './queries.ts';

type Kind = keyof Preferences['kinds'];
type Channel = keyof Preferences['kinds'][Kind];

const KINDS: readonly Kind[] = ['device_offline', 'deposit', 'payout', 'sign_in', 'reward_day'];
const CHANNELS: readonly Channel[] = ['bell', 'mail', 'push'];
const DIGESTS = ['at_once', 'hourly', 'daily'] as const;
/** Minutes that are offered. */
const OFFLINE_MINUTES = [15, 30, 60, 180, 720, 1440];

interface ChoicesProps {
  readonly preferences: Preferences;
  readonly onChange: (preferences: Preferences) => void;
}

function Switches({ preferences, onChange }: ChoicesProps) {
  const { t } = useTranslation('notifications');
  const { kinds } = preferences;
  const set = (kind: Kind, channel: Channel, isOn: boolean): void =>
    onChange({ ...preferences, kinds: { ...kinds, [kind]: { ...kinds[kind], [channel]: isOn } } });
  return (
    <table className={classes.choices}>
      <thead>
        <tr>
          <td />
          {CHANNELS.map((channel) => (
            <th key={channel} scope="col">
              {t(`channel.${channel}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {KINDS.map((kind) => (
          <tr key={kind}>
            <th scope="row">{t(`kind.${kind}`)}</th>
            {CHANNELS.map((channel) => (
              <td key={channel} data-channel={t(`channel.${channel}`)}>
                <Switch
                  label={t('switchOf', {
                    kind: t(`kind.${kind}`),
                    channel: t(`channel.${channel}`),
                  })}
                  isLabelHidden
                  isOn={kinds[kind][channel]}
                  onChange={(isOn) => set(kind, channel, isOn)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OfflineAfter({ preferences, onChange }: ChoicesProps) {
  const { t } = useTranslation('notifications');
  const chosen = preferences.offline_minutes;
  const offered = [...new Set([...OFFLINE_MINUTES, chosen])].toSorted((a, b) => a - b);
  return (
    <Select
      name="offline_minutes"
      label={t('offlineAfter')}
      value={String(chosen)}
      options={offered.map((minutes) => ({
        value: String(minutes),
        label: spanText(t, minutes * 60) ?? String(minutes),
      }))}
      onChange={(event) =>
        onChange({ ...preferences, offline_minutes: Number(event.currentTarget.value) })
      }
    />
  );
}

function HowOften({ preferences, onChange }: ChoicesProps) {
  const { t } = useTranslation('notifications');
  return (
    <Select
      name="digest"
      label={t('digest')}
      value={preferences.digest}
      options={DIGESTS.map((digest) => ({ value: digest, label: t(`digests.${digest}`) }))}
      onChange={(event) => {
        const digest = DIGESTS.find((one) => one === event.currentTarget.value);
        if (digest) onChange({ ...preferences, digest });
      }}
    />
  );
}

/** Mails are in the language and the time zone in which they were chosen. */
function placeOf(language: string): Pick<Preferences, 'language' | 'time_zone'> {
  const known = toServiceLanguage(language);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { ...(known && { language: known }), time_zone: timeZone };
}

export function ChoicesSection() {
  const { t, language } = useTranslation('notifications');
  const client = useQueryClient();
  const query = useQuery(preferencesQuery);
  // A list that was asked for before a change was saved must not take the change back.
  const [draft, setDraft] = useState<Preferences>();
  const textOf = useProblemText();
  const { queryKey } = preferencesQuery;
  // What is chosen is shown at once; several changes are saved one after the other.
  const save = useMutation({
    mutationFn: (next: Preferences) => savePreferences({ ...next, ...placeOf(language) }),
    scope: { id: 'notification-preferences' },
    onMutate: setDraft,
    onError: () => {
      setDraft(undefined);
      return client.invalidateQueries({ queryKey });
    },
  });
  return (
    <Section title={t('choices')} lead={t('choicesLead')}>
      <QueryBoundary query={query} skeleton={<SkeletonLines count={5} />}>
        {(known) => {
          const choices = { preferences: draft ?? known, onChange: save.mutate };
          return (
            <>
              <Switches {...choices} />
              <div className={classes.fields}>
                <HowOften {...choices} />
                <OfflineAfter {...choices} />
              </div>
              <Text role="alert" isFailure>
                {save.error && textOf(save.error)}
              </Text>
            </>
          );
        }}
      </QueryBoundary>
    </Section>
  );
}

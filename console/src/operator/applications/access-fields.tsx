/** How an application gets tokens, and what is not asked of it. */
import { useState } from 'react';
import { Switch, SwitchGroup } from '../../components/segmented-control.tsx';
import { Text } from '../../components/text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import type { Application } from './queries.ts';

export type Kind = Application['type'];
type Grant = Application['grant_types'][number];

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const GRANT_TEXTS = {
  authorization_code: 'applications.grant.code',
  refresh_token: 'applications.grant.refresh',
  [DEVICE_CODE]: 'applications.grant.device',
  client_credentials: 'applications.grant.credentials',
  [TOKEN_EXCHANGE]: 'applications.grant.exchange',
} as const satisfies Record<Grant, string>;

/** Tokens of its own are for an application that keeps a secret. */
function offeredTo(kind: Kind): Grant[] {
  const grants = Object.keys(GRANT_TEXTS) as Grant[];
  return grants.filter((grant) => kind === 'confidential' || grant !== 'client_credentials');
}

interface Access {
  readonly grant_types?: Grant[];
  readonly first_party: boolean;
  readonly require_pkce?: boolean;
}

interface AccessState {
  readonly kind: Kind;
  readonly chosen: readonly string[];
  readonly isFirstParty: boolean;
  readonly requiresPkce: boolean;
  set(change: Partial<Omit<AccessState, 'set' | 'toBody'>>): void;
  /** What is sent; grants that were not chosen for a new application follow from the rest. */
  toBody(): Access;
}

export function useAccess(application: Application | undefined): AccessState {
  const [state, setState] = useState({
    kind: application?.type ?? ('public' as Kind),
    chosen: (application?.grant_types ?? []) as readonly string[],
    isFirstParty: application?.first_party ?? false,
    requiresPkce: application?.require_pkce ?? true,
  });
  return {
    ...state,
    set: (change) => setState({ ...state, ...change }),
    toBody() {
      const grants = offeredTo(state.kind).filter((grant) => state.chosen.includes(grant));
      return {
        ...((application !== undefined || grants.length > 0) && { grant_types: grants }),
        first_party: state.isFirstParty,
        ...(state.kind === 'confidential' && { require_pkce: state.requiresPkce }),
      };
    },
  };
}

interface Props {
  readonly access: AccessState;
  readonly isNew: boolean;
}

export function AccessFields({ access, isNew }: Props) {
  const { t } = useTranslation('operator');
  const { kind, chosen, isFirstParty, requiresPkce, set } = access;
  return (
    <>
      <SwitchGroup
        legend={t('applications.grants')}
        options={offeredTo(kind)}
        labelOf={(grant) => t(GRANT_TEXTS[grant as Grant])}
        chosen={chosen}
        onChange={(grants) => set({ chosen: grants })}
      />
      {isNew && (
        <Text isSmall isDimmed>
          {t('applications.grantsLead')}
        </Text>
      )}
      <Switch
        label={t('applications.firstParty')}
        isOn={isFirstParty}
        onChange={(isOn) => set({ isFirstParty: isOn })}
      />
      {kind === 'confidential' && (
        <Switch
          label={t('applications.requirePkce')}
          isOn={requiresPkce}
          onChange={(isOn) => set({ requiresPkce: isOn })}
        />
      )}
    </>
  );
}

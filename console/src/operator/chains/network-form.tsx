/** A network: its RPC endpoints, the key that derives addresses, how long a deposit waits. */
import { useState } from 'react';
import { Textarea, TextInput } from '../../components/field.tsx';
import { Folded } from '../../components/folded.tsx';
import form from '../../components/form.module.css';
import { Form } from '../../components/form.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from '../operator.module.css';
import { type Chain, type ChainChange, configureChain } from '../queries.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { wordsOf } from '../words-of.ts';

const COMMON = { autoComplete: 'off', spellCheck: false } as const;

const NUMBERS = ['reorg_window', 'block_ms', 'poll_ms', 'start_height'] as const;

/** What a field says, where it says something else than the network has. */
function changedText(target: HTMLFormElement, name: string, present = ''): string | undefined {
  const text = fieldText(target, name);
  return text === '' || text === present ? undefined : text;
}

function readNumbers(target: HTMLFormElement): ChainChange {
  const given = NUMBERS.map((name) => [name, fieldText(target, name)] as const);
  return Object.fromEntries(
    given.filter(([, text]) => text !== '').map(([name, text]) => [name, Number(text)]),
  );
}

/** What is left empty stays as it is. */
function readChange(target: HTMLFormElement, chain: Chain): ChainChange {
  const urls = wordsOf(fieldText(target, 'rpc_urls'));
  const xpub = changedText(target, 'xpub', chain.xpub);
  const coin = changedText(target, 'coin', chain.coin);
  const explorer = changedText(target, 'explorer_url', chain.explorer_url);
  return {
    ...(urls.length > 0 && { rpc_urls: urls }),
    ...(xpub !== undefined && { xpub }),
    ...(coin !== undefined && { coin: coin.toUpperCase() }),
    ...(explorer !== undefined && { explorer_url: explorer }),
    ...readNumbers(target),
    required_confirmations: Number(fieldText(target, 'required_confirmations')),
  };
}

interface KeyProps {
  readonly present: string | undefined;
  readonly isRetiring: boolean;
  readonly onRetire: (isRetiring: boolean) => void;
}

/** A new key is for new addresses, unless the addresses of the one before are retired. */
function KeyField({ present, isRetiring, onRetire }: KeyProps) {
  const { t } = useTranslation('operator');
  const [typed, setTyped] = useState('');
  const isReplaced = present !== undefined && typed.trim() !== '' && typed.trim() !== present;
  return (
    <>
      <TextInput
        name="xpub"
        label={t('chains.xpub')}
        description={t('chains.xpubLead')}
        defaultValue={present}
        onChange={(event) => setTyped(event.currentTarget.value)}
        {...COMMON}
      />
      {isReplaced && (
        <Switch
          label={t('chains.retire')}
          description={t('chains.retireLead')}
          isOn={isRetiring}
          onChange={onRetire}
        />
      )}
    </>
  );
}

interface RareProps {
  readonly chain: Chain;
  readonly usesFinalized: boolean;
  readonly onFinalized: (usesFinalized: boolean) => void;
}

function RareFields({ chain, usesFinalized, onFinalized }: RareProps) {
  const { t } = useTranslation('operator');
  return (
    <Folded label={t('chains.more')}>
      <TextInput
        name="coin"
        label={t('chains.coin')}
        description={t('chains.coinLead')}
        defaultValue={chain.coin}
        {...COMMON}
      />
      <TextInput
        name="explorer_url"
        label={t('chains.explorer')}
        description={t('chains.explorerLead')}
        defaultValue={chain.explorer_url}
        inputMode="url"
        {...COMMON}
      />
      <Switch label={t('chains.finalized')} isOn={usesFinalized} onChange={onFinalized} />
      <div className={form.two}>
        {NUMBERS.map((name) => (
          <TextInput
            key={name}
            name={name}
            label={t(`chains.numbers.${name}`)}
            defaultValue={chain[name]}
            inputMode="numeric"
            autoComplete="off"
          />
        ))}
      </div>
    </Folded>
  );
}

export function NetworkForm({ chain }: { readonly chain: Chain }) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [isEnabled, setEnabled] = useState(chain.state === 'unconfigured' || chain.is_enabled);
  const [isRetiring, setRetiring] = useState(false);
  const [usesFinalized, setFinalized] = useState(chain.uses_finalized);
  const submit = (target: HTMLFormElement): void => {
    const change = readChange(target, chain);
    const retires = isRetiring && change.xpub !== undefined && chain.xpub !== undefined;
    operation.run(() =>
      configureChain(chain.network, {
        ...change,
        ...(retires && { retire_addresses: true }),
        uses_finalized: usesFinalized,
        is_enabled: isEnabled,
      }),
    );
  };
  const endpoints = chain.endpoints.map(({ url }) => url).join(t('devices:comma'));
  return (
    <Form submission={operation} submitLabel={t('chains.saveNetwork')} onSubmit={submit}>
      <Textarea
        name="rpc_urls"
        rows={2}
        label={t('chains.endpoints')}
        description={
          endpoints === '' ? t('chains.endpointsLead') : t('chains.endpointsKept', { endpoints })
        }
        className={classes.code}
        spellCheck={false}
      />
      <KeyField present={chain.xpub} isRetiring={isRetiring} onRetire={setRetiring} />
      <TextInput
        name="required_confirmations"
        label={t('chains.confirmations')}
        inputMode="numeric"
        defaultValue={chain.required_confirmations}
        autoComplete="off"
      />
      <Switch label={t('chains.enabled')} isOn={isEnabled} onChange={setEnabled} />
      <RareFields chain={chain} usesFinalized={usesFinalized} onFinalized={setFinalized} />
    </Form>
  );
}

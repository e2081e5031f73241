import { useState } from 'react';
import { useCurrencies } from '../api/currencies.ts';
import { Select, Textarea, TextInput } from '../components/field.tsx';
import form from '../components/form.module.css';
import { Form } from '../components/form.tsx';
import { Switch } from '../components/segmented-control.tsx';
import { Sheet } from '../components/sheet.tsx';
import { fieldText } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { chainNoteText, depositReasonText } from '../i18n/message-code-text.ts';
import { HaltForm, ResumeForm, SearchAgainForm } from './chain-watcher.tsx';
import classes from './operator.module.css';
import { type Chain, type ChainToken, configureChain, configureToken } from './queries.ts';
import { useOperation } from './use-operator-mutation.ts';

const EVM_DECIMALS = 18;

/** How each RPC endpoint failed that does not work now. */
function FailingNodes({ chain }: { readonly chain: Chain }) {
  const { t } = useTranslation('operator');
  const failing = chain.endpoints.flatMap(
    ({ url, last_error: words, last_error_code: code, last_error_values: values }) =>
      words === undefined ? [] : [{ url, text: chainNoteText(t, words, code, values) }],
  );
  if (failing.length === 0) return null;
  return (
    <section aria-label={t('chains.failingNodes')}>
      <h2 className={classes.part}>{t('chains.failingNodes')}</h2>
      <ul className={classes.failing}>
        {failing.map(({ url, text }) => (
          <li key={url}>
            <code className={classes.hash}>{url}</code>
            <span className={classes.failure}>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * The network itself: its RPC endpoints, the public key that derives addresses, how long a deposit
 * waits.
 */
function NetworkForm({ chain }: { readonly chain: Chain }) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [isEnabled, setEnabled] = useState(chain.state === 'unconfigured' || chain.is_enabled);
  const submit = (target: HTMLFormElement): void => {
    const urls = fieldText(target, 'rpc_urls').split(/\s+/).filter(Boolean);
    const xpub = fieldText(target, 'xpub');
    const coin = fieldText(target, 'coin').trim().toUpperCase();
    operation.run(() =>
      configureChain(chain.network, {
        ...(urls.length > 0 && { rpc_urls: urls }),
        ...(xpub !== '' && xpub !== chain.xpub && { xpub }),
        ...(coin !== '' && { coin }),
        required_confirmations: Number(fieldText(target, 'required_confirmations')),
        is_enabled: isEnabled,
      }),
    );
  };
  const endpoints = chain.endpoints.map(({ url }) => url).join(', ');
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
      <TextInput
        name="xpub"
        label={t('chains.xpub')}
        description={t('chains.xpubLead')}
        defaultValue={chain.xpub}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        name="coin"
        label={t('chains.coin')}
        description={t('chains.coinLead')}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        name="required_confirmations"
        label={t('chains.confirmations')}
        inputMode="numeric"
        defaultValue={chain.required_confirmations}
        autoComplete="off"
      />
      <Switch label={t('chains.enabled')} isOn={isEnabled} onChange={setEnabled} />
    </Form>
  );
}

/** Why deposits of a token wait for an operator. */
function DistrustReason({ token }: { readonly token: ChainToken }) {
  const { t } = useTranslation('operator');
  const { distrust_reason: reason, distrust_reason_code: code } = token;
  const values = token.distrust_reason_values;
  if (reason === undefined) return null;
  const text = depositReasonText(t, {
    status: 'on_hold',
    reason,
    ...(code !== undefined && { reason_code: code }),
    ...(values !== undefined && { reason_values: values }),
  });
  return <p className={classes.failure}>{text ?? reason}</p>;
}

function TokenNumbers({ token }: { readonly token: ChainToken | undefined }) {
  const { t } = useTranslation('operator');
  return (
    <div className={form.two}>
      <TextInput
        name="decimals"
        label={t('chains.decimals')}
        inputMode="numeric"
        defaultValue={token?.decimals ?? EVM_DECIMALS}
        autoComplete="off"
      />
      <TextInput
        name="min_deposit"
        label={t('chains.minimum')}
        inputMode="decimal"
        defaultValue={token?.min_deposit ?? '0'}
        autoComplete="off"
      />
    </div>
  );
}

/** One currency on the network: a token by its contract, or the chain's own coin without one. */
function TokenForm({
  network,
  token,
  currencies,
}: {
  readonly network: string;
  readonly token: ChainToken | undefined;
  readonly currencies: readonly string[];
}) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [isEnabled, setEnabled] = useState(token?.is_enabled ?? true);
  const submit = (target: HTMLFormElement): void => {
    const contract = fieldText(target, 'contract_address');
    operation.run(() =>
      configureToken(network, token?.currency ?? fieldText(target, 'currency'), {
        ...(contract !== '' && { contract_address: contract }),
        decimals: Number(fieldText(target, 'decimals')),
        min_deposit: fieldText(target, 'min_deposit'),
        is_enabled: isEnabled,
      }),
    );
  };
  return (
    <Form
      submission={operation}
      submitLabel={
        token ? t('chains.saveToken', { currency: token.currency }) : t('chains.addToken')
      }
      variant="default"
      onSubmit={submit}
    >
      {token ? (
        <h3>{token.currency}</h3>
      ) : (
        <Select name="currency" label={t('chains.currency')} options={currencies} />
      )}
      {token && <DistrustReason token={token} />}
      <TextInput
        name="contract_address"
        label={t('chains.contract')}
        description={t('chains.contractLead')}
        defaultValue={token?.contract_address}
        autoComplete="off"
        spellCheck={false}
      />
      <TokenNumbers token={token} />
      <Switch label={t('chains.tokenEnabled')} isOn={isEnabled} onChange={setEnabled} />
    </Form>
  );
}

/** Everything that can be set of a network. */
export function ChainSheet({
  chain,
  onClose,
}: {
  readonly chain: Chain;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('operator');
  const currencies = useCurrencies();
  const others = (currencies.data ?? [])
    .map(({ code }) => code)
    .filter((code) => !chain.tokens.some(({ currency }) => currency === code));
  return (
    <Sheet title={chain.name} onClose={onClose}>
      {chain.state === 'halted' && (
        <div className={classes.before}>
          <ResumeForm chain={chain} onDone={onClose} />
        </div>
      )}
      <FailingNodes chain={chain} />
      <NetworkForm chain={chain} />
      {chain.cursor_height !== undefined && chain.state !== 'halted' && (
        <HaltForm chain={chain} onDone={onClose} />
      )}
      {chain.cursor_height !== undefined && <SearchAgainForm chain={chain} />}
      <h2 className={classes.part}>{t('chains.tokens')}</h2>
      {chain.tokens.map((token) => (
        <TokenForm key={token.currency} network={chain.network} token={token} currencies={[]} />
      ))}
      {others.length > 0 && (
        <TokenForm
          key={others.join()}
          network={chain.network}
          token={undefined}
          currencies={others}
        />
      )}
    </Sheet>
  );
}

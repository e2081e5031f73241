/** Everything that can be set of a network. */
import { useCurrencies } from '../../api/currencies.ts';
import { Facts } from '../../components/description-list.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { chainNoteText } from '../../i18n/message-code-text.ts';
import { Allowed, Editable } from '../allows.tsx';
import classes from '../operator.module.css';
import type { Chain } from '../queries.ts';
import { HaltForm, ResumeForm, SearchAgainForm } from './chain-watcher.tsx';
import own from './chains.module.css';
import { NetworkForm } from './network-form.tsx';
import { TokenForm } from './token-form.tsx';

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

interface Props {
  readonly chain: Chain;
  readonly onClose: () => void;
}

/** How the watcher is stopped, and continues. */
function WatcherForms({ chain, onClose }: Props) {
  const isRead = chain.cursor_height !== undefined;
  return (
    <Allowed scope="operator:chains">
      {isRead && chain.state !== 'halted' && <HaltForm chain={chain} onDone={onClose} />}
      {isRead && <SearchAgainForm chain={chain} />}
    </Allowed>
  );
}

/** A currency that the network does not have yet. */
function NewToken({ chain }: Pick<Props, 'chain'>) {
  const currencies = useCurrencies();
  const others = (currencies.data ?? [])
    .map(({ code }) => code)
    .filter((code) => !chain.tokens.some(({ currency }) => currency === code));
  if (others.length === 0) return null;
  return (
    <Allowed scope="operator:chains">
      <TokenForm
        key={others.join()}
        network={chain.network}
        token={undefined}
        currencies={others}
      />
    </Allowed>
  );
}

export function ChainSheet({ chain, onClose }: Props) {
  const { t } = useTranslation('operator');
  return (
    <Sheet title={chain.name} onClose={onClose}>
      {chain.state === 'halted' && (
        <Allowed scope="operator:chains">
          <div className={classes.before}>
            <ResumeForm chain={chain} onDone={onClose} />
          </div>
        </Allowed>
      )}
      <div className={own.facts}>
        <Facts
          facts={[
            [t('payouts.networkCode'), <code key="code">{chain.network}</code>],
            [t('payouts.chainId'), chain.chain_id !== undefined && String(chain.chain_id)],
          ]}
        />
      </div>
      <FailingNodes chain={chain} />
      <Editable scope="operator:chains">
        <NetworkForm chain={chain} />
      </Editable>
      <WatcherForms chain={chain} onClose={onClose} />
      <h2 className={classes.part}>{t('chains.tokens')}</h2>
      <div className={own.tokens}>
        <Editable scope="operator:chains">
          {chain.tokens.map((token) => (
            <TokenForm key={token.currency} network={chain.network} token={token} currencies={[]} />
          ))}
        </Editable>
        <NewToken chain={chain} />
      </div>
    </Sheet>
  );
}

/** The settings of a price feed, new or there already. */
import { useState } from 'react';
import { TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Confirm, Sheet } from '../../components/sheet.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton, Editable } from '../allows.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { deleteFeed, type PriceFeed, putFeed } from './queries.ts';

const EVERY_S_DEFAULT = 60;

interface Props {
  readonly feed: PriceFeed | undefined;
  readonly onClose: () => void;
}

function Fields({ feed }: Pick<Props, 'feed'>) {
  const { t } = useTranslation('operator');
  const common = { required: true, autoComplete: 'off', spellCheck: false } as const;
  return (
    <>
      {feed === undefined && (
        <TextInput
          name="name"
          label={t('prices.name')}
          description={t('prices.nameLead')}
          {...common}
        />
      )}
      <TextInput
        name="url"
        label={t('prices.url')}
        description={t('prices.urlLead')}
        defaultValue={feed?.url}
        inputMode="url"
        {...common}
      />
      <TextInput
        name="pointer"
        label={t('prices.pointer')}
        description={t('prices.pointerLead')}
        defaultValue={feed?.pointer}
        {...common}
      />
      <TextInput
        name="currency"
        label={t('money.currency')}
        defaultValue={feed?.currency}
        {...common}
      />
      <TextInput
        name="quote_currency"
        label={t('money.quoteCurrency')}
        defaultValue={feed?.quote_currency ?? 'USDT'}
        {...common}
      />
      <TextInput
        name="every_s"
        label={t('prices.every')}
        defaultValue={feed?.every_s ?? EVERY_S_DEFAULT}
        inputMode="numeric"
        {...common}
      />
    </>
  );
}

interface DeletionProps {
  readonly feed: PriceFeed;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function ConfirmDeletion({ feed, onClose, onDeleted }: DeletionProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  return (
    <Confirm
      title={t('prices.deleteTitle', { name: feed.name })}
      onClose={onClose}
      confirmLabel={t('prices.delete')}
      isDanger
      outcome={operation}
      onConfirm={() => operation.run(() => deleteFeed(feed.name), onDeleted)}
    >
      <p>{t('prices.deleteLead')}</p>
    </Confirm>
  );
}

export function FeedSheet({ feed, onClose }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [isDeleting, setDeleting] = useState(false);
  const submit = (form: HTMLFormElement): void =>
    operation.run(
      () =>
        putFeed(feed?.name ?? fieldText(form, 'name'), {
          url: fieldText(form, 'url'),
          pointer: fieldText(form, 'pointer'),
          currency: fieldText(form, 'currency').toUpperCase(),
          quote_currency: fieldText(form, 'quote_currency').toUpperCase(),
          every_s: Number(fieldText(form, 'every_s')),
        }),
      onClose,
    );
  return (
    <Sheet title={feed?.name ?? t('prices.addFeed')} onClose={onClose}>
      <Editable scope="operator:prices">
        <Form submission={operation} submitLabel={t('prices.saveFeed')} onSubmit={submit}>
          <Fields feed={feed} />
          {feed && (
            <ChangeButton
              scope="operator:prices"
              variant="default"
              onClick={() => setDeleting(true)}
            >
              {t('prices.delete')}
            </ChangeButton>
          )}
        </Form>
      </Editable>
      {/* Not within the form: it is one of its own. */}
      {feed && isDeleting && (
        <ConfirmDeletion
          feed={feed}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false);
            onClose();
          }}
        />
      )}
    </Sheet>
  );
}

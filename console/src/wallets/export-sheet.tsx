import { useState } from 'react';
import { useMe } from '../api/me.ts';
import { ExportButton } from '../components/export-button.tsx';
import { Select } from '../components/field.tsx';
import { Sheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { joinSentences } from '../i18n/sentences.ts';
import { monthText } from '../lib/time-text.ts';
import type { BillFilter } from './bill-filter.ts';
import { listMonths } from './list-months.ts';
import { exportBills, fetchStatement, type Wallet } from './queries.ts';
import classes from './wallets.module.css';

/** A month of both wallets as a PDF document: the last whole month, or another one. */
function Statement() {
  const { t, language } = useTranslation('wallets');
  const me = useMe();
  const months = listMonths(me.data?.created_at);
  const [month = months[1] ?? months[0] ?? '', setMonth] = useState<string>();
  return (
    <section className={classes.export}>
      <h3>{t('statement.title')}</h3>
      <Text isSmall isDimmed>
        {t('statement.lead')}
      </Text>
      <Select
        label={t('statement.month')}
        value={month}
        onChange={(event) => setMonth(event.currentTarget.value)}
        options={months.map((value) => ({ value, label: monthText(value, language) }))}
      />
      <ExportButton
        label={t('statement.save')}
        fetchTable={() => fetchStatement(month)}
        fileName={`statement-${month}.pdf`}
      />
    </section>
  );
}

interface ExportSheetProps {
  readonly wallet: Wallet;
  readonly filter: BillFilter;
  readonly isFiltered: boolean;
  /** What the list is searched for; empty: nothing. The table has more: no filter is a search. */
  readonly text: string;
  readonly onClose: () => void;
}

/** The listed entries as a table, or a month as a document. */
export function ExportSheet({ wallet, filter, isFiltered, text, onClose }: ExportSheetProps) {
  const { t, language } = useTranslation('wallets');
  return (
    <Sheet title={t('export')} onClose={onClose}>
      <section className={classes.export}>
        <h3>{t(wallet === 'bonus' ? 'csv.titleBonus' : 'csv.title')}</h3>
        <Text isSmall isDimmed>
          {joinSentences(
            language,
            t(isFiltered ? 'csv.leadFiltered' : 'csv.lead'),
            text !== '' && t('csv.searched', { text }),
          )}
        </Text>
        <ExportButton
          label={t('csv.save')}
          fetchTable={() => exportBills(wallet, filter)}
          fileName={`activity-${wallet}.csv`}
        />
      </section>
      <Statement />
    </Sheet>
  );
}

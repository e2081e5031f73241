/** The rules of a version as the service keeps them; nothing is changed here. */
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { Textarea } from '../../components/field.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import operator from '../operator.module.css';
import type { RulesVersion } from '../queries.ts';

interface Props {
  readonly version: RulesVersion;
  readonly onClose: () => void;
}

export function ShowSheet({ version, onClose }: Props) {
  const { t } = useTranslation('operator');
  const { rules, hash, created_by, created_at, active_from: hours } = version;
  return (
    <Sheet title={t('rules.version', { version: version.version })} onClose={onClose}>
      <Textarea
        label={t('rules.text')}
        value={JSON.stringify(rules, undefined, 2)}
        readOnly
        rows={14}
        className={operator.code}
      />
      <Facts
        facts={[
          [
            t('rules.activeFrom'),
            hours.length > 0 &&
              hours.map((hour) => (
                <div key={hour}>
                  <DateTime iso={hour} />
                </div>
              )),
          ],
          [t('rules.createdBy'), created_by],
          [t('rules.createdAt'), <DateTime key="at" iso={created_at} />],
          [t('rules.hash'), <code key="hash">{hash}</code>],
        ]}
      />
    </Sheet>
  );
}

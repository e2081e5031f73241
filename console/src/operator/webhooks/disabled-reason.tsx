import { useTranslation } from '../../i18n/index.ts';
import { deliveryText } from '../../i18n/message-code-text.ts';
import type { Webhook } from './queries.ts';

/** Why the service has switched a webhook off; empty where an operator has. */
export function DisabledReason({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('operator');
  const { disabled_reason: reason, disabled_reason_code: code } = webhook;
  return deliveryText(t, reason ?? '', code, webhook.disabled_reason_values);
}

/**
 * Why a message was not delivered: what the receiver answered, or why there was no answer.
 */
import type { OutgoingError, OutgoingProblem } from '../../http/index.ts';
import { type CodedMessage, createMessages } from '../../lib/coded-messages.ts';

export const DELIVERY_ERRORS = createMessages({
  answered: 'answered {status}',
  timeout: 'timeout: no answer within {milliseconds} ms',
  redirected: 'redirected: answered {status}; redirects are not followed',
  answer_too_large: 'answer_too_large: the answer is larger than {bytes} bytes',
  connection_failed: 'unreachable: the connection failed: {cause}',
  unreachable: 'unreachable: {cause}',
  unresolvable: 'unresolvable: {cause}',
  address_refused: 'address_refused: {cause}',
  not_https: 'not_https: {cause}',
  malformed_url: 'malformed_url: {cause}',
} as const satisfies Record<OutgoingProblem | 'answered', string>);

export function toDeliveryError({ problem, message, values }: OutgoingError): CodedMessage {
  return { code: problem, values: values ?? { cause: message } };
}

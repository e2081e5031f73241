/** Why a message was not taken, in sentences that have codes: what the receiver answered, or why nothing came from it. */
import type { OutgoingProblem } from '../../http/index.ts';
import { createMessages } from '../../lib/coded-messages.ts';

const TEXTS = {
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
} as const satisfies Record<OutgoingProblem | 'answered' | 'connection_failed', string>;

export const DELIVERY_ERRORS = createMessages(TEXTS);

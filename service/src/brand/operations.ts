/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const publicOperations = describeOperations('brand', {
  getBrand: {
    summary: 'Name, logo, accent and texts of the network',
    description:
      'What a sign-in page shows, with an `ETag`: `If-None-Match` (RFC 9110) answers 304 until ' +
      'an operator changes it.',
  },
  getBrandLogo: {
    summary: 'The logo of the network',
    description: 'The image as an operator uploaded it. It never changes under this address.',
    failures: ['not_found'],
  },
});

export const operations = describeOperations('operator-brand', {
  getOperatorBrand: {
    summary: 'The brand as it is set',
    description:
      'With the sender and the footers of mails, and what is allowed. Its `ETag` is for ' +
      '`If-Match`.',
  },
  putOperatorBrand: {
    summary: 'Set the brand',
    description:
      'Pages and mails have it from now on, those of other instances after a moment. An accent ' +
      'in which text could not be read is shown darker or lighter. Links and texts are shown to ' +
      'all users: the audit log has each change. `If-Match` with the `ETag` of the ' +
      'brand that was read refuses the change where another operator was faster.',
    failures: ['precondition_failed'],
  },
});

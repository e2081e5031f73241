/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-devices', {
  findDevices: {
    summary: 'Find devices',
    description:
      'Devices of all people, newest first; without those that were deleted. A page looks ' +
      'through 500 devices: with a filter it may hold fewer than `size`, also none, and there ' +
      'may still be a `next` one.',
  },
  listUserDevices: {
    summary: 'Devices of a person',
    description: 'As the person sees them.',
  },
  listSharedAddresses: {
    summary: 'Network addresses with many devices',
    description:
      'Addresses at which the most devices were registered, with the number of their owners. ' +
      'Reads an index of all devices: for people who look, not for servers that poll.',
  },
  listRefusedReportsOfAll: {
    summary: 'Refused traffic reports',
    description:
      'Reports about registered devices that do not count, newest first, as long as they are kept.',
  },
  countRefusedReports: {
    summary: 'Refused traffic reports by relay and reason',
    description: 'How many reports of the last hours do not count; the most frequent first.',
  },
});

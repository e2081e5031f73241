/** The addresses that a user may be paid at. */
import { type Db, isUniqueViolation, queryNamed, transaction } from '../db/index.ts';
import { listTokens, parseAddress, requireNetwork } from '../deposits/index.ts';
import { notifyOwner, type RequestOrigin } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { readDisplayText } from '../lib/display-text.ts';
import { failure, fieldError } from '../lib/failures.ts';
import type { PayoutAddress } from './schemas.ts';

const QUARANTINE_MS = 24 * 3600 * 1000;
const ADDRESSES_MAX = 50;
/** Operators see it beside the address. */
const LABEL_LIMITS = { min: 1, max: 40, bytes_max: 400 };

export interface AddressRow {
  readonly id: number;
  readonly user_id: number;
  readonly network: string;
  readonly network_name: string;
  readonly address: string;
  readonly label: string;
  readonly created_at: Date;
  readonly usable_at: Date;
}

const SELECT_ADDRESSES = `select target.*, network.name as network_name from payout_address target
  join network on network.code = target.network where target.removed_at is null`;

function toPayoutAddress(row: AddressRow): PayoutAddress {
  const { id, network, network_name, address, label, created_at, usable_at } = row;
  return {
    ...{ id, network, network_name, address, label },
    created_at: created_at.toISOString(),
    usable_at: usable_at.toISOString(),
  };
}

/** The addresses of a user, oldest first. */
export async function listAddresses(db: Db, userId: number): Promise<PayoutAddress[]> {
  const { rows } = await db.query<AddressRow>(
    `${SELECT_ADDRESSES} and user_id = $1 order by target.id`,
    [userId],
  );
  return rows.map(toPayoutAddress);
}

/** An address of the user. @throws `not_found` */
export async function requireAddress(db: Db, userId: number, id: number): Promise<AddressRow> {
  const text = `${SELECT_ADDRESSES} and target.id = :id and user_id = :user_id`;
  const { rows } = await queryNamed<AddressRow>(db, text, { id, user_id: userId });
  const [row] = rows;
  if (!row) throw failure('not_found', { detail: 'You have no payout address with this id.' });
  return row;
}

export interface NewAddress {
  readonly userId: number;
  readonly network: string;
  readonly address: string;
  readonly label: string;
}

/** The address in its form for display. @throws `invalid_parameter` */
async function checkAddress(db: Db, order: NewAddress): Promise<string> {
  const network = await requireNetwork(db, order.network, 'network');
  const address = await parseAddress(network, order.address);
  if (address === undefined)
    throw fieldError(
      'address',
      'wrong_checksum',
      `is no address of ${network.name} with a right checksum`,
    );
  const tokens = await listTokens(db, network.code);
  if (tokens.some(({ contract }) => contract === address.toLowerCase()))
    throw fieldError('address', 'contract', 'is the contract of a token: no user could spend it');
  return address;
}

async function insert(db: Db, now: Date, order: NewAddress): Promise<number> {
  const { userId, network, address, label } = order;
  const { rows } = await queryNamed<{ id: number }>(
    db,
    `insert into payout_address (user_id, network, address, address_key, label, created_at,
       usable_at)
     values (:user_id, :network, :address, lower(:address), :label, :now, :usable_at)
     returning id`,
    {
      ...{ user_id: userId, network, address, label, now },
      usable_at: new Date(now.getTime() + QUARANTINE_MS),
    },
  );
  const [row] = rows;
  if (!row) throw new Error('the payout address was not written');
  return row.id;
}

/**
 * Adds an address; it can be paid after 24 hours, and its owner gets a mail at once.
 * @throws `invalid_parameter`, `payout_address_exists`, `payout_address_limit`
 */
export async function addAddress(
  db: Db,
  clock: Clock,
  origin: RequestOrigin,
  order: NewAddress,
): Promise<PayoutAddress> {
  const label = readDisplayText(order.label, 'label', LABEL_LIMITS);
  const work = transaction(db, async (tx) => {
    const { userId } = order;
    const address = await checkAddress(tx, order);
    await tx.query('select from app_user where id = $1 for no key update', [userId]);
    if ((await listAddresses(tx, userId)).length >= ADDRESSES_MAX)
      throw failure('payout_address_limit');
    const id = await insert(tx, clock.now(), { ...order, address, label });
    await notifyOwner(tx, clock, {
      ...{ userId, origin, type: 'payout_address_added' },
      notice: { kind: 'payoutAddressAdded', values: { address } },
      details: { network: order.network, address },
    });
    return toPayoutAddress(await requireAddress(tx, userId, id));
  });
  return work.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'payout_address_key_key')) throw error;
    throw failure('payout_address_exists');
  });
}

/** Removes an address; payouts that were requested before continue. @throws `not_found` */
export async function removeAddress(
  db: Db,
  clock: Clock,
  origin: RequestOrigin,
  { userId, id }: { readonly userId: number; readonly id: number },
): Promise<void> {
  await transaction(db, async (tx) => {
    const { network, address } = await requireAddress(tx, userId, id);
    const { rowCount } = await queryNamed(
      tx,
      'update payout_address set removed_at = :now where id = :id and removed_at is null',
      { now: clock.now(), id },
    );
    if (rowCount === 0) throw failure('not_found');
    const details = { network, address };
    await notifyOwner(tx, clock, { userId, origin, type: 'payout_address_removed', details });
  });
}

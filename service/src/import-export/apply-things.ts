/** Devices, deposit addresses and purchases. */
import { type NewPurchase, recordPurchases, recordRefund } from '../community/index.ts';
import type { Transaction } from '../db/index.ts';
import { importAddresses } from '../deposits/index.ts';
import { type ImportedDevice, importDevices } from '../devices/index.ts';
import { findClosedUsers } from '../identity/index.ts';
import { BATCH_MAX, type Posting, postTransfers } from '../ledger/index.ts';
import { type ApplyContext, applyFile, isPending, type Outcome, rejectRow } from './apply-rows.ts';
import { nextRevision } from './record-imported.ts';
import type { WorkRow } from './stage.ts';

interface DeviceData {
  readonly device_type: ImportedDevice['deviceType'];
  readonly key_thumbprint: string | null;
  readonly name: string;
  readonly browser: string;
  readonly extension_version: string;
  readonly os: string;
  readonly timezone: string;
  readonly capabilities: readonly string[];
  readonly granted_categories: readonly string[];
  readonly created_at: string;
}

function toDevice(row: WorkRow): ImportedDevice {
  const data = JSON.parse(row.data) as DeviceData;
  return {
    nodeId: row.key,
    userId: row.user_id,
    deviceType: data.device_type,
    keyThumbprint: data.key_thumbprint,
    name: data.name,
    browser: data.browser,
    extensionVersion: data.extension_version,
    os: data.os,
    timezone: data.timezone,
    capabilities: data.capabilities,
    grantedCategories: data.granted_categories,
    createdAt: data.created_at,
  };
}

/** What the erasure of a closed account leaves of its devices. */
const ERASED = { name: '', browser: '', extensionVersion: '', os: '', timezone: 'UTC' } as const;

export function importAllDevices(context: ApplyContext): Promise<void> {
  const options = { size: 2000, width: 2, isDue: isPending };
  return applyFile(context, 'devices', options, async (tx, rows, { overwrites }) => {
    const closed = await findClosedUsers(
      tx,
      rows.map(({ user_id }) => user_id),
    );
    const devices = rows.map((row) => ({
      ...toDevice(row),
      ...(closed.has(row.user_id) && ERASED),
    }));
    await importDevices(tx, devices, overwrites);
    return { applied: rows.map((row) => ({ row })) };
  });
}

interface AddressData {
  readonly family: string;
  readonly address: string;
  readonly xpub: string | null;
  readonly derivation_index: number | null;
  readonly created_at: string;
}

const ADDRESS_TAKEN = ['taken', 'belongs to a user, or its user has one of the same key'] as const;

export function importAllAddresses(context: ApplyContext): Promise<void> {
  const options = { size: 1000, width: 1, isDue: isPending };
  return applyFile(context, 'deposit_addresses', options, async (tx, rows, { clock }) => {
    const addresses = rows.map((row) => {
      const data = JSON.parse(row.data) as AddressData;
      return {
        userId: row.user_id,
        family: data.family,
        address: data.address,
        xpub: data.xpub,
        derivationIndex: data.derivation_index,
        createdAt: data.created_at,
      };
    });
    const added = await importAddresses(tx, clock.now(), addresses);
    const isAdded = (_: WorkRow, i: number): boolean => added.has(addresses[i]?.address ?? '');
    return {
      applied: rows.filter(isAdded).map((row) => ({ row })),
      rejects: rows
        .filter((row, i) => !isAdded(row, i))
        .map((row) => rejectRow('deposit_addresses', row, 'address', ADDRESS_TAKEN)),
    };
  });
}

interface PurchaseData {
  readonly currency: string;
  readonly amount: string;
  readonly refunded: string;
  readonly reference: string;
  readonly created_at: string;
}

interface Bought {
  readonly row: WorkRow;
  readonly data: PurchaseData;
}

/** Between accounts of the house, as a purchase that was paid outside. */
function toPosting({ row, data }: Bought, isRefund: boolean): Posting {
  const [buyer, seller] = [{ house: 'external_sales' }, { house: 'package_sales' }];
  const kind = isRefund ? 'refund' : 'purchase';
  return {
    idempotencyKey: `import/purchases/${row.key}/${nextRevision(row)}/${kind}`,
    debit: isRefund ? seller : buyer,
    credit: isRefund ? buyer : seller,
    currency: data.currency,
    amount: BigInt(isRefund ? data.refunded : data.amount),
    businessId: isRefund ? 'package_refund' : 'package_purchase',
    eventAt: new Date(data.created_at),
    reference: data.reference,
  };
}

async function postAll(
  tx: Transaction,
  bought: readonly Bought[],
  isRefund: boolean,
): Promise<number[]> {
  const results = await postTransfers(
    tx,
    bought.map((each) => toPosting(each, isRefund)),
  );
  return results.map((result) => {
    if (result.status === 'refused') throw new Error(`a purchase was refused: ${result.code}`);
    return result.transferId;
  });
}

async function applyPurchases(
  tx: Transaction,
  rows: readonly WorkRow[],
  { clock }: ApplyContext,
): Promise<Outcome> {
  const bought = rows.map((row) => ({ row, data: JSON.parse(row.data) as PurchaseData }));
  const paid = await postAll(tx, bought, false);
  const purchases = await recordPurchases(
    tx,
    clock,
    bought.map(
      ({ row, data }, i): NewPurchase => ({
        transferId: paid[i] ?? 0,
        userId: row.user_id,
        currency: data.currency,
        amount: BigInt(data.amount),
        reference: data.reference,
        isExternal: true,
        createdAt: new Date(data.created_at),
      }),
    ),
  );
  const refunded = bought.filter(({ data }) => data.refunded !== '0');
  const refunds = await postAll(tx, refunded, true);
  for (const [i, each] of refunded.entries()) {
    const purchase = purchases[bought.indexOf(each)];
    if (!purchase) throw new Error('a purchase was not recorded');
    const { refunded: amount, reference } = each.data;
    const transferId = refunds[i] ?? 0;
    await recordRefund(tx, clock, { transferId, purchase, amount: BigInt(amount), reference });
  }
  return { applied: rows.map((row) => ({ row, amount: BigInt(row.amount ?? 0) })) };
}

export function importPurchases(context: ApplyContext): Promise<void> {
  const options = { size: BATCH_MAX, width: 1, isDue: isPending };
  return applyFile(context, 'purchases', options, applyPurchases);
}

/**
 * What the numbers of the ledger stand for, as heads sign it: a code, a scale or a rule that was
 * changed by hand would give money another meaning.
 */
import type { ReferenceData } from './reference-data.ts';

export interface SignedNames {
  /** Heads of before they were noted have none; nor have older ones the other two. */
  readonly kinds?: readonly { readonly id: number; readonly code: string }[];
  readonly currencies?: readonly {
    readonly id: number;
    readonly code: string;
    readonly scale: number;
  }[];
  readonly businesses?: readonly SignedBusiness[];
}

export interface SignedBusiness {
  readonly id: number;
  readonly code: string;
  readonly is_earning: boolean;
  readonly counter: string | null;
  readonly credit_sign: number;
  readonly reversed_as: string | null;
}

export function namesOf(reference: ReferenceData): Required<SignedNames> {
  return {
    kinds: [...reference.kindsById.values()].map(({ id, code }) => ({ id, code })),
    currencies: [...reference.currenciesById.values()].map(({ id, code, scale }) => ({
      id,
      code,
      scale,
    })),
    businesses: [...reference.businessesById.values()].map((business) => ({
      id: business.id,
      code: business.code,
      is_earning: business.isEarning,
      counter: business.counter,
      credit_sign: business.creditSign,
      reversed_as: business.reversedAs,
    })),
  };
}

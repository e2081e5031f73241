import { databaseOf } from './transaction.ts';
import type { Database, Db } from './types.ts';

/** What a domain is given for a database when the service starts: its keys, its clock. */
export class PerDatabase<Value> {
  readonly #values = new WeakMap<Database, Value>();
  readonly #installer: string;

  /** @param installer the function that sets the value, for the error where it was not called */
  constructor(installer: string) {
    this.#installer = installer;
  }

  has(database: Database): boolean {
    return this.#values.has(database);
  }

  set(database: Database, value: Value): void {
    this.#values.set(database, value);
  }

  get(db: Db): Value {
    const value = this.#values.get(databaseOf(db));
    if (value === undefined) throw new Error(`${this.#installer} was not called for this database`);
    return value;
  }
}

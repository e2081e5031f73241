/** Dependencies of the use cases of this domain. */
import type { Config } from '../config.ts';
import type { Database, Db } from '../db/index.ts';
import type { Outgoing } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../master-key.ts';

export interface PayoutsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly config: Config;
  readonly masterKey: MasterKey;
  /** For the sanctions check. */
  readonly outgoing: Outgoing;
  /** True while a reset of the password by email alone freezes the person's money. */
  isMoneyFrozen(db: Db, clock: Clock, userId: number): Promise<boolean>;
  /** True for a person who shares device keys or network addresses with others. */
  sharesDevices(db: Db, userId: number): Promise<boolean>;
}

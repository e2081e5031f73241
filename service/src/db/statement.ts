/**
 * Prepared statements with named parameters: the text names them, and the numbers are given once.
 */
import type { Db, Result, Row } from './types.ts';

export interface Statement {
  /** Name under which a connection keeps the plan; unique in the service. */
  readonly name: string;
  /** The text with `$1`, `$2`, … */
  readonly text: string;
  /** Names of the parameters, in the order of their numbers. */
  readonly parameters: readonly string[];
}

/** `:name`, but not the type of a cast (`::text`), nor the minutes of a time (`10:30`). */
const PARAMETER = /(?<![:\w]):([a-z][a-z0-9_]*)/g;

/**
 * Defines a prepared statement.
 * @param name unique in the service
 * @param text SQL whose parameters are written `:name`; the same name is the same parameter
 */
export function defineStatement(name: string, text: string): Statement {
  const parameters: string[] = [];
  const numbered = text.replace(PARAMETER, (_match, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return { name, text: numbered, parameters };
}

/** By the names of the parameters. */
export type Values = Readonly<Record<string, unknown>>;

function toPositional({ name, parameters }: Statement, values: Values): unknown[] {
  return parameters.map((parameter) => {
    if (!Object.hasOwn(values, parameter)) throw new Error(`${name}: :${parameter} has no value`);
    return values[parameter];
  });
}

/** Runs a prepared statement. @throws when a parameter has no value */
export function execute<R = Row>(db: Db, statement: Statement, values: Values): Promise<Result<R>> {
  return db.prepared<R>(statement.name, statement.text, toPositional(statement, values));
}

/**
 * Runs a statement that is rare and reads much: it is planned for these values, and the connection
 * keeps no plan. @throws when a parameter has no value
 */
export function executeUnprepared<R = Row>(
  db: Db,
  statement: Statement,
  values: Values,
): Promise<Result<R>> {
  return db.query<R>(statement.text, toPositional(statement, values));
}

const UNPREPARED = new Map<string, Statement>();

/**
 * Runs a text with parameters written `:name`, without a prepared plan: for everything that is not
 * on a hot path. Each text is read once; a text must therefore come from the code, not from data.
 * @throws when a parameter has no value
 */
export function queryNamed<R = Row>(db: Db, text: string, values: Values): Promise<Result<R>> {
  const known = UNPREPARED.get(text);
  const statement = known ?? defineStatement(text, text);
  if (!known) UNPREPARED.set(text, statement);
  return executeUnprepared<R>(db, statement, values);
}

/**
 * Waits for statements that were sent together. After the first that fails, PostgreSQL refuses the
 * others of the transaction (25P02), whichever rejection is seen first: the error of the first in
 * their order is thrown, which is the cause.
 */
export async function inOrder(sent: readonly unknown[]): Promise<void> {
  for (const outcome of await Promise.allSettled(sent)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

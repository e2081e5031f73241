/**
 * How far each job has come. The row is locked while a step is under way, and moves in the
 * transaction of the step: instances share the work, and a step that dies is done again.
 */
import { defineStatement, execute, type Transaction } from '../db/index.ts';

export type Task = 'events' | 'devices' | 'rewards';

export interface Progress {
  readonly position: number;
  readonly nodeId: string;
  readonly startedAt: Date | null;
  /** `yyyy-MM-dd`. */
  readonly day: string | null;
}

const LOCK = defineStatement(
  'notification-progress-lock',
  `select position, node_id as "nodeId", started_at as "startedAt", day::text as day
   from notification_progress where task = :task for update skip locked`,
);

/** Undefined: another instance is at it. */
export async function lockProgress(tx: Transaction, task: Task): Promise<Progress | undefined> {
  return (await execute<Progress>(tx, LOCK, { task })).rows[0];
}

const MOVE = defineStatement(
  'notification-progress-move',
  `update notification_progress set position = :position, node_id = :node_id,
     started_at = :started_at, day = :day where task = :task`,
);

export async function moveProgress(
  tx: Transaction,
  task: Task,
  { position, nodeId, startedAt, day }: Progress,
): Promise<void> {
  await execute(tx, MOVE, { task, position, node_id: nodeId, started_at: startedAt, day });
}

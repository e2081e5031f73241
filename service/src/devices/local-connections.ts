/** The live connections of this instance, counted by user and by network address. */
import type { CallingDevice } from './find-calling-device.ts';

export interface LocalConnection {
  readonly device: CallingDevice;
  readonly address: string;
  /** Later connections of a device have higher numbers; undefined until the database answers. */
  number: number | undefined;
}

export class LocalConnections {
  readonly #byDevice = new Map<number, LocalConnection>();
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#byDevice.size;
  }

  get(deviceId: number): LocalConnection | undefined {
    return this.#byDevice.get(deviceId);
  }

  deviceIds(): Iterable<number> {
    return this.#byDevice.keys();
  }

  countOfUser(userId: number): number {
    return this.#counts.get(`user ${userId}`) ?? 0;
  }

  countAtAddress(address: string): number {
    return this.#counts.get(`address ${address}`) ?? 0;
  }

  /** Adds a connection in the place of an older one of the device. */
  set(connection: LocalConnection): void {
    const { deviceId } = connection.device;
    const older = this.#byDevice.get(deviceId);
    if (older) this.delete(older);
    this.#byDevice.set(deviceId, connection);
    this.#count(connection, 1);
  }

  /** @returns false when a newer connection of the device has taken the place */
  delete(connection: LocalConnection): boolean {
    const { deviceId } = connection.device;
    if (this.#byDevice.get(deviceId) !== connection) return false;
    this.#byDevice.delete(deviceId);
    this.#count(connection, -1);
    return true;
  }

  #count({ device, address }: LocalConnection, change: 1 | -1): void {
    for (const subject of [`user ${device.userId}`, `address ${address}`]) {
      const count = (this.#counts.get(subject) ?? 0) + change;
      if (count > 0) this.#counts.set(subject, count);
      else this.#counts.delete(subject);
    }
  }
}

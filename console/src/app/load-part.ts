import { checkHealth } from '../api/client.ts';

/**
 * Loads a part of the console. When that fails, either the service cannot be reached, which is
 * shown, or a newer console has replaced the part: then the router loads the document again.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    await checkHealth();
    throw error;
  }
}

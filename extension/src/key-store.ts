/** The device's key in IndexedDB; its private half cannot be exported. */
const DATABASE = 'edge-device';
const STORE = 'keys';
const ID = 'device';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return settled(request);
}

/** The key pair, created at its first use. */
export async function loadKeyPair(): Promise<CryptoKeyPair> {
  const database = await openDatabase();
  try {
    const known = await settled<CryptoKeyPair | undefined>(
      database.transaction(STORE).objectStore(STORE).get(ID),
    );
    if (known) return known;
    const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    await settled(database.transaction(STORE, 'readwrite').objectStore(STORE).put(pair, ID));
    return pair;
  } finally {
    database.close();
  }
}

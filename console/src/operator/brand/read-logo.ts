/** A picture that an operator chose from their own files. */
import type { LogoDraft } from './draft.ts';

export const LOGO_BYTES_MAX = 65_536;
export const LOGO_TYPES = 'image/png,image/jpeg,image/webp';

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Undefined for what the browser cannot show. */
export async function readLogo(file: File): Promise<LogoDraft | undefined> {
  try {
    const [path, bitmap] = await Promise.all([readDataUrl(file), createImageBitmap(file)]);
    const { width, height } = bitmap;
    bitmap.close();
    return { image: { path, width, height }, change: path.slice(path.indexOf(',') + 1) };
  } catch {
    return undefined;
  }
}

/** How large a test is: as small as still proves it by default, and as large as anybody waits for while soaking. */
const isSoak = process.env.SOAK !== undefined;

export const sized = <T>(usual: T, soak: T): T => (isSoak ? soak : usual);

// Text, codes, hashes: byte loads and stores, and branches on data.
#include "harness.h"

enum { N = 700 };

__host__ __device__ char upper(char c) { return 'a' <= c && c <= 'z' ? c - 'a' + 'A' : c; }
__global__ void uppercase(int n, char *text) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    text[i] = upper(text[i]);
}

// Returns whether the pattern starts here; stops at the first difference.
__host__ __device__ bool starts(const char *text, const char *pattern, int length) {
  for (int k = 0; k < length; k++)
    if (text[k] != pattern[k])
      return false;
  return true;
}
__global__ void find(int n, const char *text, int length, const char *pattern, unsigned char *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    found[i] = i + length <= n && starts(&text[i], pattern, length);
}

// Edit distance of a pair of words, with a row of the table in local memory.
enum { WORD = 12 };
__host__ __device__ int edit_distance(const char *a, const char *b) {
  int row[WORD + 1];
  for (int j = 0; j <= WORD; j++)
    row[j] = j;
  for (int i = 1; i <= WORD; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= WORD; j++) {
      int change = diagonal + (a[i - 1] != b[j - 1]), skip = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
      diagonal = row[j];
      row[j] = change < skip ? change : skip;
    }
  }
  return row[WORD];
}
__global__ void edit_distances(int pairs, const char *a, const char *b, int *distance) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair < pairs)
    distance[pair] = edit_distance(&a[pair * WORD], &b[pair * WORD]);
}

// CRC-32 (ISO 3309) of messages of any length, its table in constant memory.
__constant__ unsigned crc_table[256];
__host__ __device__ unsigned crc_byte(unsigned crc, unsigned entry) { return crc >> 8 ^ entry; }
__global__ void crc32(int messages, const unsigned short *length, const unsigned char *bytes,
                      unsigned *crcs) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= messages)
    return;
  unsigned crc = ~0u;
  for (int k = 0; k < length[m]; k++)
    crc = crc_byte(crc, crc_table[(crc ^ bytes[m + k]) & 255]);
  crcs[m] = ~crc;
}

// FNV-1a, 64 bits: G. Fowler, L. C. Noll, K.-P. Vo.
__host__ __device__ unsigned long long fnv(const unsigned char *bytes, int length) {
  unsigned long long hash = 14695981039346656037u;
  for (int k = 0; k < length; k++)
    hash = (hash ^ bytes[k]) * 1099511628211u;
  return hash;
}
__global__ void fnv_hash(int n, const unsigned char *bytes, unsigned long long *hash) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    hash[i] = fnv(&bytes[i], i % 23);
}

__constant__ char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
__global__ void base64(int triples, const unsigned char *bytes, char4 *code) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= triples)
    return;
  unsigned bits = bytes[3 * t] << 16 | bytes[3 * t + 1] << 8 | bytes[3 * t + 2];
  code[t] =
      make_char4(digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63], digits[bits & 63]);
}

// A word begins where a letter follows another character; each block adds its count to the total.
__global__ void count_words(int n, const char *text, int *words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool begins = i < n && text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  int count = __syncthreads_count(begins);
  if (threadIdx.x == 0)
    atomicAdd(words, count);
}

// ChaCha20's block function, RFC 8439.
__host__ __device__ unsigned rotate(unsigned x, int by) { return x << by | x >> (32 - by); }
__host__ __device__ void quarter_round(unsigned *s, int a, int b, int c, int d) {
  s[a] += s[b], s[d] = rotate(s[d] ^ s[a], 16);
  s[c] += s[d], s[b] = rotate(s[b] ^ s[c], 12);
  s[a] += s[b], s[d] = rotate(s[d] ^ s[a], 8);
  s[c] += s[d], s[b] = rotate(s[b] ^ s[c], 7);
}
struct Key {
  unsigned word[8];
};
__host__ __device__ void chacha_block(const Key &key, unsigned counter, unsigned *stream) {
  const unsigned constant[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  unsigned s[16], start[16];
  for (int i = 0; i < 16; i++)
    start[i] = s[i] = i < 4 ? constant[i] : i < 12 ? key.word[i - 4] : i == 12 ? counter : 0;
  for (int round = 0; round < 10; round++)
    for (int i = 0; i < 8; i++)
      i < 4 ? quarter_round(s, i, i + 4, i + 8, i + 12)
            : quarter_round(s, i % 4, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  for (int i = 0; i < 16; i++)
    stream[i] = s[i] + start[i];
}
__global__ void chacha(Key key, int blocks, unsigned *stream) {
  int block = blockIdx.x * blockDim.x + threadIdx.x;
  if (block < blocks)
    chacha_block(key, block + 1, &stream[16 * block]);
}

TEST(uppercase) {
  Array<char> text(N, ' ', '~');
  uppercase<<<ceil_div(N, 96), 96>>>(N, text);
  check(text, [&](int i) { return upper(text[i]); });
}
TEST(find) {
  Array<char> text(N, 'a', 'b'), pattern(5, 'a', 'b');
  Array<unsigned char> found(N);
  find<<<ceil_div(N, 128), 128>>>(N, text, 5, pattern, found);
  check(found, [&](int i) { return (unsigned char)(i + 5 <= N && starts(&text[i], &pattern[0], 5)); });
}
TEST(edit_distances) {
  Array<char> a(50 * WORD, 'a', 'd'), b(50 * WORD, 'a', 'd');
  Array<int> distance(50);
  edit_distances<<<2, 32>>>(50, a, b, distance);
  check(distance, [&](int pair) { return edit_distance(&a[pair * WORD], &b[pair * WORD]); });
}
TEST(crc32) {
  Array<unsigned> table(256, [](int i) {
    unsigned entry = i;
    for (int bit = 0; bit < 8; bit++)
      entry = entry >> 1 ^ (entry & 1 ? 0xedb88320 : 0);
    return entry;
  });
  succeed(cudaMemcpyToSymbol(crc_table, table.initial, sizeof crc_table));
  Array<unsigned short> length(N, 0, 40);
  Array<unsigned char> bytes(N + 40, 0, 255);
  Array<unsigned> crcs(N);
  crc32<<<ceil_div(N, 160), 160>>>(N, length, bytes, crcs);
  check(crcs, [&](int m) {
    unsigned crc = ~0u;
    for (int k = 0; k < length[m]; k++)
      crc = crc_byte(crc, table[(crc ^ bytes[m + k]) & 255]);
    return ~crc;
  });
}
TEST(fnv_hash) {
  Array<unsigned char> bytes(N + 23, 0, 255);
  Array<unsigned long long> hash(N);
  fnv_hash<<<ceil_div(N, 64), 64>>>(N, bytes, hash);
  check(hash, [&](int i) { return fnv(&bytes[i], i % 23); });
}
TEST(base64) {
  Array<unsigned char> bytes(3 * N, 0, 255);
  Array<char> code(4 * N);
  base64<<<ceil_div(N, 128), 128>>>(N, bytes, code.as<char4>());
  check(code, [&](int k) {
    unsigned bits = bytes[k / 4 * 3] << 16 | bytes[k / 4 * 3 + 1] << 8 | bytes[k / 4 * 3 + 2];
    int digit = bits >> (18 - 6 * (k % 4)) & 63;
    return char(digit < 26   ? 'A' + digit
                : digit < 52 ? 'a' + digit - 26
                : digit < 62 ? '0' + digit - 52
                : digit < 63 ? '+'
                             : '/');
  });
}
TEST(count_words) {
  Array<char> text(N, [](int) { return random_between(0, 3) ? 'x' : ' '; });
  Array<int> words(1);
  count_words<<<ceil_div(N, 96), 96>>>(N, text, words);
  check(words, [&](int) {
    int count = 0;
    for (int i = 0; i < N; i++)
      count += text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
    return count;
  });
}
TEST(chacha) {
  Key key;
  for (int i = 0; i < 8; i++)
    key.word[i] = (unsigned)next_random();
  Array<unsigned> stream(16 * 50);
  chacha<<<2, 30>>>(key, 50, stream);
  check(stream, [&](int k) {
    unsigned block[16];
    chacha_block(key, k / 16 + 1, block);
    return block[k % 16];
  });
}

-- Logos of applications, as they were fetched from the address that the application named.
create table client_logo (
  client_id text constraint client_logo_pkey primary key
    constraint client_logo_client_fkey references oauth_client (client_id) on delete cascade,
  -- SHA-256 in hexadecimal: the address of the image at this service.
  hash text not null,
  media_type text not null,
  image bytea not null,
  fetched_at timestamptz not null,
  constraint client_logo_media_type_check
    check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint client_logo_image_check check (octet_length(image) between 1 and 65536)
);
create index client_logo_hash_idx on client_logo (hash);

//! The work as Protocol Buffers.

use super::{CHAIN, Unit};

/// The linter's standard rules, without those that forbid sharing a message or want long names.
pub const RULES: &str = "version: v2
lint:
  use: [STANDARD]
  except:
    - ENUM_VALUE_PREFIX
    - ENUM_ZERO_VALUE_SUFFIX
    - RPC_REQUEST_RESPONSE_UNIQUE
    - RPC_REQUEST_STANDARD_NAME
    - RPC_RESPONSE_STANDARD_NAME
";

/// Where a file stands.
pub fn path(file: usize) -> String {
    format!("parcels/part{file}/v1/part.proto")
}

/// Its package and its imports.
pub fn head(file: usize) -> String {
    let import =
        if file.is_multiple_of(CHAIN) { "" } else { "import \"parcels/@earlier_part/v1/part.proto\";\n\n" };
    let head = format!("syntax = \"proto3\";\n\npackage parcels.part@part.v1;\n\n{import}");
    Unit { file, number: 0 }.of(&head)
}

/// Two records, an enum and four operations.
pub const UNIT: &str = r"// Parcel @number of part @part.
message Parcel@unit {
  string code = 1;
  int64 pieces = 2;
  optional bool fragile = 3;
  double weight = 4;
  optional int32 floor = 5;
  bytes label = 6;
  repeated string marks = 7;
  repeated parcels.@earlier_part.v1.Receipt@earlier origin = 8;
}

// The receipt for parcel @number of part @part.
message Receipt@unit {
  string code = 1;
  int64 pieces = 2;
  optional bool fragile = 3;
  double weight = 4;
  optional int32 floor = 5;
  State@unit state = 6;
  repeated string marks = 7;
  Parcel@unit parcel = 8;
}

// How far parcel @number of part @part is.
enum State@unit {
  PART@part_PARCEL@number_ORDERED = 0;
  PART@part_PARCEL@number_PACKED = 1;
  PART@part_PARCEL@number_SENT = 2;
  PART@part_PARCEL@number_LANDED = 3;
  PART@part_PARCEL@number_DELIVERED = 4;
  PART@part_PARCEL@number_RETURNED = 5;
}

// Operations over parcel @number of part @part.
service Parcels@unitService {
  rpc ReadParcel@unit(Parcel@unit) returns (Receipt@unit);
  rpc ListParcels@unit(Parcel@unit) returns (Receipt@unit);
  rpc ReplaceParcel@unit(Parcel@unit) returns (Receipt@unit);
  rpc RemoveParcel@unit(Parcel@unit) returns (Receipt@unit);
}

";

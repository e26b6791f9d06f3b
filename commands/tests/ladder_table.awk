# awk -f csv.awk -f ladder_table.awk ladder.csv: checks that each rung removes its fault and is faster
# than the previous.

function wrong(text) {
  print value("rung") ": " text
  bad++
}

function expect(name, least, most) {
  if (!(value(name) >= least && value(name) <= most))
    wrong(name " = " value(name) ": expected " least " to " most)
}

FNR == 1 { read_header($0); next }

{ split_csv($0, row) }

value("rung") == "masked" {
  expect("active_lanes", 0.45, 0.55)
  expect("bytes_per_sector", 14, 18)
}
value("rung") == "compressed" {
  expect("active_lanes", 0.95, 1)
  expect("bytes_per_sector", 14, 18)
}
value("rung") == "split" { expect("bytes_per_sector", 26, 32) }
value("rung") == "split_float4" {
  expect("bytes_per_sector", 30, 32)
  expect("sectors_per_request", 12, 17) # four times as many bytes per request
}
value("rung") == "fused" { expect("sectors_per_point", 0.04, 0.12) } # of seven sweeps in one pass

{
  if (last && !(value("sweep_ms") < last))
    wrong(value("sweep_ms") " ms: expected less than the " last " ms of the previous rung")
  last = value("sweep_ms")
}

END { exit failed || bad || !last }

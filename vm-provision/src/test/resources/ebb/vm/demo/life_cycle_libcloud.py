"""The life cycle of a VM and a firewall rule, by Apache libcloud's driver of Compute Engine. The
arguments are the address of the fake and a directory; any step that fails ends it."""

import json
import os
import sys
from urllib.parse import urlsplit

import libcloud.compute.drivers.gce as gce
from libcloud.common.google import ResourceExistsError, ResourceNotFoundError
from libcloud.compute.types import NodeState

PROJECT, ZONE = "ebb-demo", "europe-west1-b"
fake = urlsplit(sys.argv[1])

# A token that is good for long, so that nobody is asked for one.
tokens = os.path.join(sys.argv[2], "token")
with open(tokens, "w") as out:
    json.dump({"access_token": "t", "token_type": "Bearer", "expire_time": "2126-01-01T00:00:00Z"}, out)


class Answer(gce.GCEResponse):
    """The driver knows a link only by its https, which the fake does not speak."""

    def parse_body(self):
        self.body = self.body.replace("http://" + fake.netloc, "https://" + fake.netloc)
        return super().parse_body()


class ToFake(gce.GCEConnection):
    """To the fake, and asking for the end of operations at once, not every two seconds."""

    poll_interval = 0.05
    responseCls = Answer

    def __init__(self, *args, **kwargs):
        super().__init__(*args, host=fake.hostname, port=fake.port, **kwargs)


gce.GCENodeDriver.connectionCls = ToFake
driver = gce.GCENodeDriver(
    "me",
    "key",
    auth_type="IA",
    credential_file=tokens,
    project=PROJECT,
    datacenter=ZONE,
    secure=False,
)

assert driver.zone.name == ZONE and driver.region.name == "europe-west1", driver.region
zones = {zone.name: zone for zone in driver.ex_list_zones()}
assert zones[ZONE].status == "UP", zones
regions = {region.name: region for region in driver.ex_list_regions()}
assert "europe-west1-c" in [zone.name for zone in regions["europe-west1"].zones], regions
assert regions["europe-west1"].quotas
sizes = {size.name: size for size in driver.list_sizes(location=ZONE)}
assert sizes["n2-standard-4"].extra["guestCpus"] == 4, sizes
assert "default" in [network.name for network in driver.ex_list_networks()]
assert "pd-ssd" in [kind.name for kind in driver.ex_list_disktypes(zone=ZONE)]
assert [i.name for i in driver.list_images(ex_project="debian-cloud")] == ["debian-12"]

image = driver.ex_get_image_from_family("debian-12", ex_project_list=["debian-cloud"])


def create(name):
    return driver.create_node(
        name,
        "e2-small",
        image,
        location=ZONE,
        ex_tags=["second"],
        ex_labels={"ebb-run": "second"},
        ex_disk_size="20",
    )


node = create("lc")
assert node.state == NodeState.RUNNING, node
assert node.public_ips[0] and node.private_ips[0], node
assert node.extra["tags"] == ["second"] and node.extra["labels"] == {"ebb-run": "second"}
create("lc-2")
assert [n.name for n in driver.list_nodes(ex_zone=ZONE)] == ["lc", "lc-2"]
assert sorted(n.name for n in driver.list_nodes(ex_zone="all")) == ["lc", "lc-2"]
assert sorted(v.name for v in driver.list_volumes(ex_zone=ZONE)) == ["lc", "lc-2"]
assert "Debian" in driver.ex_get_serial_output(node)
try:
    create("lc")
    raise AssertionError("not refused")
except ResourceExistsError:
    pass

rule = driver.ex_create_firewall(
    "lc",
    allowed=[{"IPProtocol": "tcp", "ports": ["8080"]}],
    source_ranges=["198.51.100.7/32"],
    target_tags=["second"],
)
assert rule.target_tags == ["second"] and rule.network.name == "default", rule
assert [one.name for one in driver.ex_list_firewalls()] == ["lc"]
assert driver.ex_destroy_firewall(rule)
for one in (node, driver.ex_get_node("lc-2", ZONE)):
    assert driver.destroy_node(one)
    try:
        driver.ex_get_node(one.name, ZONE)
        raise AssertionError("still there")
    except ResourceNotFoundError:
        pass
print("life cycle done")
